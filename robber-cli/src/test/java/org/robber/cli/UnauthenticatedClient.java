package org.robber.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** A client without the secret, which connects to a port and sends what no node sends. */
final class UnauthenticatedClient implements AutoCloseable {
    private static final int CONNECT_LIMIT_MILLIS = 10_000;

    private final Socket socket = new Socket();
    private final Behaviour behaviour;

    /** What it says. */
    enum Behaviour {
        /** Nothing. */
        SILENT,
        /** Random bytes. */
        NOISE,
        /** Something sensible, in another protocol. */
        ANOTHER_PROTOCOL,
        /** The first half of a greeting. */
        HALF_A_GREETING,
        /** A greeting, and then no proof. */
        NO_PROOF,
        /** A greeting, and then a proof that it made up. */
        WRONG_PROOF,
        /** A greeting, and then more and more. */
        OVERSIZED
    }

    /** Connects, and says what it has to say. */
    UnauthenticatedClient(int port, Behaviour behaviour, SplittableRandom random) throws IOException {
        this.behaviour = behaviour;
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_LIMIT_MILLIS);
        try {
            speak(socket.getOutputStream(), behaviour, random);
        } catch (IOException e) {
            // The node closed the connection while the client was still sending, as it should.
            socket.close();
        }
    }

    private static void speak(OutputStream out, Behaviour behaviour, SplittableRandom random) throws IOException {
        byte[] hello = new byte[39];
        random.nextBytes(hello);
        System.arraycopy(new byte[] {'R', 'B', 'B', 'R', 1, 0, 1}, 0, hello, 0, 7);
        switch (behaviour) {
            case SILENT -> {}
            case NOISE -> out.write(random(random, 39 + random.nextInt(5000)));
            case ANOTHER_PROTOCOL ->
                out.write("GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            case HALF_A_GREETING -> out.write(hello, 0, random.nextInt(1, hello.length));
            case NO_PROOF -> out.write(hello);
            case WRONG_PROOF -> {
                out.write(hello);
                out.write(new byte[] {'R', 'B', 'B', 'R', 3});
                out.write(random(random, 32));
            }
            case OVERSIZED -> {
                out.write(hello);
                for (int i = 0; i < 64; i++) {
                    out.write(random(random, 1 << 16));
                }
            }
        }
    }

    private static byte[] random(SplittableRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Whether it has said what no node says. */
    boolean breaksTheProtocol() {
        return behaviour != Behaviour.SILENT
                && behaviour != Behaviour.HALF_A_GREETING
                && behaviour != Behaviour.NO_PROOF;
    }

    /** Whether the other side has closed the connection. */
    boolean isDisconnected() throws IOException {
        if (socket.isClosed()) {
            return true;
        }
        socket.setSoTimeout(1);
        try {
            byte[] answer = new byte[1 << 10];
            while (socket.getInputStream().read(answer) >= 0) {
                // a challenge, or a part of it
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
