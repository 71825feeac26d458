package org.robber.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for tests that have to know one before anybody listens at it. The kernel gives others, for data ports and outgoing
 * connections, from a range of its own: none of those may be chosen, or it may be taken meanwhile.
 */
final class FreePort {
    private static final Path KERNELS_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_000;
    private static final int USUAL_END = 32_768;
    private static final int MOST_ATTEMPTS = 1000;

    private FreePort() {}

    /** A port at which no process listens at the moment, below the range of the kernel. */
    static int find() throws IOException {
        int end = kernelsFirst();
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, Math.max(end, LOWEST + 1));
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // taken: another one
            }
        }
        throw new IOException("no free port from " + LOWEST + " to " + end);
    }

    private static int kernelsFirst() throws IOException {
        if (!Files.exists(KERNELS_RANGE)) {
            return USUAL_END;
        }
        try (Scanner range = new Scanner(KERNELS_RANGE, StandardCharsets.US_ASCII)) {
            return range.nextInt();
        }
    }
}
