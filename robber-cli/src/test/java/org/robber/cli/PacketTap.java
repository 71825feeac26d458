package org.robber.cli;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that writes every packet of its network namespace to a file, one after the other, until it is killed. Linux, root. */
public final class PacketTap {
    /** What it prints once it listens. */
    static final String READY = "ready";

    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    /** {@code ETH_P_ALL}, in the order of the network. */
    private static final int ALL_PROTOCOLS = 0x0300;

    private static final int MOST_BYTES = 1 << 17;

    static {
        Native.register(PacketTap.class, Platform.C_LIBRARY_NAME);
    }

    private PacketTap() {}

    private static native int socket(int domain, int type, int protocol);

    private static native long recv(int fd, byte[] buffer, long length, int flags);

    /** Writes to the file that the argument names. */
    public static void main(String[] arguments) throws IOException {
        int fd = socket(AF_PACKET, SOCK_RAW, ALL_PROTOCOLS);
        if (fd < 0) {
            throw new IOException("no socket for packets: error " + Native.getLastError());
        }
        try (OutputStream file = Files.newOutputStream(Path.of(arguments[0]))) {
            System.out.println(READY);
            byte[] packet = new byte[MOST_BYTES];
            for (long length = 0; length >= 0; length = recv(fd, packet, packet.length, 0)) {
                file.write(packet, 0, (int) length);
            }
        }
    }
}
