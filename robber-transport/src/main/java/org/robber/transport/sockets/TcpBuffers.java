package org.robber.transport.sockets;

import com.google.common.base.Strings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The buffers that Linux gives to connections whose program sets no sizes: see tcp(7). */
public final class TcpBuffers {
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");

    private TcpBuffers() {}

    /**
     * The bytes that one connection between machines like this one may have on the way: its send buffer, and the half of its receive
     * buffer that is the window. 0 if the system does not tell.
     */
    public static long mostOnTheWay() {
        return Math.min(largest("tcp_wmem"), largest("tcp_rmem") / 2);
    }

    private static long largest(String setting) {
        // The kernel answers the first read of a setting alone. Files.readString begins with a read of one byte.
        try (BufferedReader file = Files.newBufferedReader(SETTINGS.resolve(setting))) {
            String[] sizes = Strings.nullToEmpty(file.readLine()).strip().split("\\s+", -1);
            return Long.parseLong(sizes[sizes.length - 1]);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
