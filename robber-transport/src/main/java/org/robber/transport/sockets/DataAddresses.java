package org.robber.transport.sockets;

import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The address of this machine that the name of a network means.
 *
 * @param listening where to listen
 * @param told the numeric address that peers are told
 */
public record DataAddresses(InetAddress listening, String told) {
    private static final Logger LOG = LoggerFactory.getLogger(DataAddresses.class);

    /** Global addresses before those of a link, and IPv4 before IPv6, as peers may have no IPv6. */
    private static final Comparator<InetAddress> MOST_USEFUL_FIRST = Comparator.comparing(
                    InetAddress::isLinkLocalAddress)
            .thenComparing(address -> !(address instanceof Inet4Address));

    /**
     * Looks for the address.
     *
     * @param network as in {@link org.robber.DataAddress}, not empty
     * @throws RobberException with {@code USAGE} if this machine has no such address
     */
    public static DataAddresses find(String network) {
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
            LOG.warn(
                    "the data address {} is none of this machine: it listens at all of its addresses, and peers reach it"
                            + " only if something passes their connections on, with the same ports",
                    address.getHostAddress());
            return new DataAddresses(new InetSocketAddress(0).getAddress(), address.getHostAddress());
        } catch (UnknownHostException e) {
            throw none("there is no interface and no host " + network, own, e);
        }
    }

    private static DataAddresses at(InetAddress address) {
        return new DataAddresses(address, InetAddresses.toAddrString(address));
    }

    private static List<InetAddress> own() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .sorted(MOST_USEFUL_FIRST)
                    .toList();
        } catch (SocketException e) {
            LOG.debug("cannot list the network interfaces", e);
            return List.of();
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
        int slash = network.indexOf('/');
        String start = network.substring(0, slash);
        if (!InetAddresses.isInetAddress(start)) {
            throw bad(network);
        }
        byte[] wanted = InetAddresses.forString(start).getAddress();
        int bits = bits(network, slash, wanted.length * Byte.SIZE);
        return own.stream()
                .filter(address -> sameBits(address.getAddress(), wanted, bits))
                .findFirst()
                .orElseThrow(() -> none("no address of this machine is in " + network, own, null));
    }

    private static int bits(String network, int slash, int most) {
        try {
            int bits = Integer.parseInt(network.substring(slash + 1));
            if (bits >= 0 && bits <= most) {
                return bits;
            }
        } catch (NumberFormatException e) {
            LOG.debug("no number of bits", e);
        }
        throw bad(network);
    }

    private static boolean sameBits(byte[] one, byte[] other, int bits) {
        if (one.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % Byte.SIZE);
            if (((one[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static RobberException bad(String network) {
        return new RobberException(
                Reason.USAGE,
                List.of(),
                "connect",
                "the data address " + network + " is no network: write it as in 10.1.0.0/16 or fd00::/8");
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
