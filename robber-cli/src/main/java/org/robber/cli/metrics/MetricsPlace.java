package org.robber.cli.metrics;

import com.google.common.collect.Range;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the metrics of a job are found: in a file, or at a port of an address.
 *
 * @param text as the user wrote it
 */
public record MetricsPlace(String text) {

    /** The address in front of the port may be an IPv6 address in brackets. */
    private static final Pattern PORT = Pattern.compile("(?:(\\[[0-9A-Fa-f:.%\\w]+]|[^/:]*):)?(\\d+)");

    private static final Range<BigInteger> PORTS = Range.closed(BigInteger.ONE, BigInteger.valueOf(0xFFFF));

    /** Refuses what is neither a port nor a file: an {@link IllegalArgumentException} says why. */
    public MetricsPlace {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("an empty name is neither a file nor a port");
        }
        Matcher port = PORT.matcher(text);
        if (port.matches() && !PORTS.contains(new BigInteger(port.group(2)))) {
            throw new IllegalArgumentException("'" + text + "' is no port: ports are from 1 to 65535; write ./" + text
                    + " for a file of that name");
        }
    }

    /** Whether this is a port, and not a file. */
    public boolean isPort() {
        return PORT.matcher(text).matches();
    }

    /** The port. */
    int port() {
        return Integer.parseInt(matched(2));
    }

    /** The address to listen at; empty for all addresses of this machine. */
    String address() {
        String address = matched(1);
        return address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
    }

    /** The file. */
    public Path file() {
        return Path.of(text);
    }

    private String matched(int group) {
        Matcher port = PORT.matcher(text);
        if (!port.matches()) {
            throw new IllegalStateException(text + " is a file");
        }
        String found = port.group(group);
        return found == null ? "" : found;
    }
}
