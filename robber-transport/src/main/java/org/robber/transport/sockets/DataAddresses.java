package org.robber.transport.sockets;

import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of this machine that the names of networks mean.
 *
 * @param listening where to listen
 * @param told the numeric addresses that peers are told, the best first; an empty one is that at which rank 0 sees this node
 */
public record DataAddresses(List<InetAddress> listening, List<String> told) {
    private static final Logger LOG = LoggerFactory.getLogger(DataAddresses.class);

    /** Beside the address at which rank 0 sees the node. Machines with containers have many that lead nowhere. */
    private static final int MOST_OF_ALL = 4;

    /** As many as a message has room for. */
    private static final int MOST_TOLD = 8;

    /** Global addresses before those of a link, and IPv4 before IPv6, as peers may have no IPv6. */
    private static final Comparator<InetAddress> MOST_USEFUL_FIRST = Comparator.comparing(
                    InetAddress::isLinkLocalAddress)
            .thenComparing(address -> !(address instanceof Inet4Address));

    /** All addresses: that at which rank 0 sees this node is the best, but peers may be in other networks, or speak IPv6 alone. */
    public static DataAddresses all() {
        Stream<String> others = own().stream()
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .map(InetAddresses::toAddrString)
                .limit(MOST_OF_ALL);
        return new DataAddresses(
                List.of(new InetSocketAddress(0).getAddress()),
                Stream.concat(Stream.of(""), others).toList());
    }

    /** This loopback address alone: all nodes are on this machine. */
    public static DataAddresses loopback(InetAddress address) {
        return new DataAddresses(List.of(address), List.of(""));
    }

    /**
     * Looks for the addresses.
     *
     * @param networks as in {@link org.robber.DataAddress}, not empty
     * @throws RobberException with {@code USAGE} if this machine has none of them
     */
    public static DataAddresses find(String networks) {
        List<InetAddress> listening = new ArrayList<>();
        List<String> told = new ArrayList<>();
        List<String> names = Splitter.on(',').trimResults().splitToList(networks);
        names.stream().filter(name -> name.contains("/")).forEach(DataAddresses::subnet);
        RobberException last = null;
        for (String network : names) {
            try {
                DataAddresses found = findOne(network);
                listening.addAll(found.listening);
                told.addAll(found.told);
            } catch (RobberException e) {
                // Not each machine has an address in each network.
                LOG.debug("no data address for {}", network, e);
                last = e;
            }
        }
        if (told.isEmpty() && last != null) {
            throw last;
        }
        boolean anywhere = listening.stream().anyMatch(InetAddress::isAnyLocalAddress);
        return new DataAddresses(
                anywhere
                        ? List.of(new InetSocketAddress(0).getAddress())
                        : listening.stream().distinct().toList(),
                told.stream().distinct().limit(MOST_TOLD).toList());
    }

    private static DataAddresses findOne(String network) {
        List<InetAddress> own = own();
        if (network.contains("/")) {
            return at(inNetwork(network, own));
        }
        Optional<InetAddress> ofInterface = ofInterface(network);
        if (ofInterface.isPresent()) {
            return at(ofInterface.get());
        }
        try {
            InetAddress address = Hosts.resolve(network).get(0);
            if (own.contains(address) || address.isLoopbackAddress()) {
                return at(address);
            }
            if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
                throw none("no node can be reached at " + address.getHostAddress(), own, null);
            }
            LOG.warn(
                    "the data address {} is none of this machine: it listens at all of its addresses, and peers reach it"
                            + " only if something passes their connections on, with the same ports",
                    address.getHostAddress());
            return new DataAddresses(List.of(new InetSocketAddress(0).getAddress()), List.of(address.getHostAddress()));
        } catch (UnknownHostException e) {
            throw none("there is no interface and no host " + network, own, e);
        }
    }

    private static DataAddresses at(InetAddress address) {
        return new DataAddresses(List.of(address), List.of(InetAddresses.toAddrString(address)));
    }

    private static List<InetAddress> own() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(DataAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .sorted(MOST_USEFUL_FIRST)
                    .toList();
        } catch (SocketException e) {
            LOG.debug("cannot list the network interfaces", e);
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface card) {
        try {
            return card.isUp();
        } catch (SocketException e) {
            LOG.debug("cannot look at {}", card, e);
            return false;
        }
    }

    private static Optional<InetAddress> ofInterface(String name) {
        try {
            return Optional.ofNullable(NetworkInterface.getByName(name))
                    .flatMap(card -> card.inetAddresses().min(MOST_USEFUL_FIRST));
        } catch (SocketException e) {
            LOG.debug("cannot look at the interface {}", name, e);
            return Optional.empty();
        }
    }

    private static InetAddress inNetwork(String network, List<InetAddress> own) {
        IpSubnetFilterRule subnet = subnet(network);
        return own.stream()
                .filter(address -> subnet.matches(new InetSocketAddress(address, 0)))
                .findFirst()
                .orElseThrow(() -> none("no address of this machine is in " + network, own, null));
    }

    /** A network such as 10.1.0.0/16. */
    private static IpSubnetFilterRule subnet(String network) {
        int slash = network.indexOf('/');
        try {
            return new IpSubnetFilterRule(
                    InetAddresses.forString(network.substring(0, slash)),
                    Integer.parseInt(network.substring(slash + 1)),
                    IpFilterRuleType.ACCEPT);
        } catch (IllegalArgumentException e) {
            throw bad(network, e);
        }
    }

    private static RobberException bad(String network, Exception cause) {
        return new RobberException(
                Reason.USAGE,
                List.of(),
                "connect",
                "the data address " + network + " is no network: write it as in 10.1.0.0/16 or fd00::/8",
                cause);
    }

    private static RobberException none(String what, List<InetAddress> own, @Nullable Exception cause) {
        String addresses = own.stream().map(InetAddresses::toAddrString).collect(Collectors.joining(", "));
        return new RobberException(
                Reason.USAGE,
                List.of(),
                "connect",
                what + ", which was to be its address for data; this machine has " + addresses,
                cause);
    }
}
