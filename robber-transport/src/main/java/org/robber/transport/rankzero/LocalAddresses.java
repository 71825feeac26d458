package org.robber.transport.rankzero;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of this machine at one moment.
 *
 * @param addresses of all its interfaces; loopback addresses belong to it in any case
 */
record LocalAddresses(Set<InetAddress> addresses) {
    private static final Logger LOG = LoggerFactory.getLogger(LocalAddresses.class);

    static LocalAddresses ofThisMachine() {
        Set<InetAddress> addresses = new HashSet<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(addresses::add);
        } catch (SocketException e) {
            LOG.debug("cannot list the network interfaces", e);
        }
        return new LocalAddresses(addresses);
    }

    boolean contains(InetAddress address) {
        return address.isLoopbackAddress() || addresses.contains(address);
    }

    /**
     * Where rank 0 listens. The address in the job's URI may belong to a gateway, a service or a load balancer that passes connections
     * on: then rank 0 listens at all addresses of its machine. It does the same where the host has several.
     *
     * @param host the host of the job's URI
     * @param ofHost the addresses of that host, at least one
     */
    InetAddress toListenAt(String host, List<InetAddress> ofHost) {
        InetAddress address = ofHost.get(0);
        InetAddress anywhere = new InetSocketAddress(0).getAddress();
        if (ofHost.stream().anyMatch(this::contains)) {
            return ofHost.size() == 1 ? address : anywhere;
        }
        if (address.isAnyLocalAddress() || addresses.isEmpty()) {
            return address;
        }
        LOG.warn(
                "{} ({}) is no address of this machine: rank 0 listens at all addresses of this machine, and the"
                        + " others reach it only if something passes their connections on",
                host,
                address.getHostAddress());
        return anywhere;
    }
}
