package org.robber.emulation.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** A program that sends so many bytes to another one like it. */
final class Crossing {

    /** What a receiver says when the first byte has come. */
    static final String DATA = "{\"schema\": 1, \"type\": \"started\"}";

    private static final int PORT = 5000;
    private static final int TRIES = 100;
    private static final long TRY_NANOS = 100_000_000;

    private Crossing() {}

    /** {@code serve}, which says when the first byte has come, or {@code send ADDRESS BYTES}. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("serve")) {
            try (ServerSocket server = new ServerSocket(PORT);
                    Socket socket = server.accept()) {
                InputStream input = socket.getInputStream();
                input.read();
                System.out.println(DATA);
                input.transferTo(OutputStream.nullOutputStream());
            }
        } else {
            try (Socket socket = connect(args[1])) {
                long left = Long.parseLong(args[2]);
                byte[] chunk = new byte[100_000];
                for (; left > 0; left -= chunk.length) {
                    socket.getOutputStream().write(chunk);
                }
            }
        }
    }

    private static Socket connect(String address) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try {
                return new Socket(address, PORT);
            } catch (ConnectException e) {
                // the other one may not listen yet
                LockSupport.parkNanos(TRY_NANOS);
            }
        }
        throw new ConnectException("no process listens at " + address);
    }

    /** The command that runs it. */
    static String command(String arguments) {
        return System.getProperty("java.home") + "/bin/java -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp '"
                + System.getProperty("java.class.path") + "' " + Crossing.class.getName() + " " + arguments;
    }
}
