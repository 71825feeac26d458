package org.robber.cli.option;

import com.google.common.base.CharMatcher;
import com.google.common.net.HostAndPort;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where a daemon listens: an address, a port, or both, such as {@code 10.1.0.7:7622}. */
public final class ListenText implements ITypeConverter<InetSocketAddress> {
    /** The port of daemons, unless users choose another. */
    static final int PORT = 7622;

    /** Java takes a number for an address, too: 7622 would be 0.0.29.198. */
    private static final CharMatcher DIGITS = CharMatcher.inRange('0', '9');

    @Override
    public InetSocketAddress convert(String text) {
        if (DIGITS.matchesAllOf(text)) {
            return new InetSocketAddress(port(text));
        }
        if (text.startsWith(":") && !text.startsWith("::")) {
            return new InetSocketAddress(port(text.substring(1)));
        }
        try {
            HostAndPort place = HostAndPort.fromString(text).withDefaultPort(PORT);
            InetSocketAddress address = new InetSocketAddress(place.getHost(), port(Integer.toString(place.getPort())));
            if (address.isUnresolved()) {
                throw new TypeConversionException("'" + place.getHost() + "' is no address of this machine");
            }
            return address;
        } catch (IllegalArgumentException e) {
            throw bad(text);
        }
    }

    static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 0xFFFF) {
                return port;
            }
        } catch (NumberFormatException e) {
            // The message below says it.
        }
        throw bad(text);
    }

    private static TypeConversionException bad(String text) {
        return new TypeConversionException("'" + text
                + "' is no port, or no address with a port: write 10.1.0.7, 7622, 10.1.0.7:7622 or [fd00::7]:7622");
    }
}
