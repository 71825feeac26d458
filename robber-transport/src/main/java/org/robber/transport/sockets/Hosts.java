package org.robber.transport.sockets;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Host names as addresses. */
public final class Hosts {
    private Hosts() {}

    /** All addresses of a host, at least one. Asks the network, and takes its time. */
    public static List<InetAddress> resolve(String host) throws UnknownHostException {
        return List.of(InetAddress.getAllByName(host));
    }

    /**
     * Where rank 0 listens; at least one. The machine's own name often stands for a loopback address in its table of hosts:
     * there no other machine would reach it, so then it is every address of this machine.
     */
    public static List<InetAddress> listeningAt(String host) throws UnknownHostException {
        List<InetAddress> addresses = resolve(host);
        boolean meant = host.isEmpty()
                || "localhost".equals(host)
                || InetAddresses.isUriInetAddress(host)
                || InetAddresses.isInetAddress(host);
        if (meant) {
            return addresses.subList(0, 1);
        }
        return addresses.get(0).isLoopbackAddress() ? List.of(InetAddresses.forString("0.0.0.0")) : addresses;
    }

    /** A host or an address with a port, as people write it. */
    public static String withPort(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** The address of one end of a connection; loopback if it has none. */
    public static InetAddress address(@Nullable SocketAddress socket) {
        return socket instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** A numeric address; the other one if it is none. */
    public static InetAddress numeric(String address, InetAddress otherwise) {
        return InetAddresses.isInetAddress(address) ? InetAddresses.forString(address) : otherwise;
    }
}
