package org.robber.emulation.testbed.calibration;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A program on a node that sends and receives as it is told on standard input, one line a time, over plain TCP. It uses nothing
 * but the JDK, so that it starts fast.
 *
 * <pre>
 * ping NAME ADDRESS TIMES              answers: ping NAME NANOS, the shortest round trip of a few bytes
 * send NAME ADDRESS CONNECTIONS        sends until told to stop; the receiver counts under this name
 * stop NAME                            ends that
 * count NAME                           answers: count NAME BYTES NANOS, what was received, and a clock
 * </pre>
 *
 * A failure is answered by {@code error NAME REASON}. It says {@code ready} first, and ends with its standard input.
 */
public final class CalibrationAgent {

    /** Every node has all ports to itself. */
    private static final int PORT = 7100;

    /** More than three round trips of the longest lines that users have. */
    private static final int CONNECT_MILLIS = 60_000;

    private static final int CHUNK_BYTES = 128 << 10;
    private static final int ECHO = 'E';
    private static final int SINK = 'S';

    private final ConcurrentMap<String, LongAdder> received = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Queue<Socket>> sending = new ConcurrentHashMap<>();

    private CalibrationAgent() {}

    /** Runs until standard input ends. */
    public static void main(String[] args) throws IOException {
        CalibrationAgent agent = new CalibrationAgent();
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(PORT), 256);
            agent.start("accept", () -> agent.accept(server));
            say("ready");
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                agent.execute(line.split(" ", -1));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void execute(String[] words) {
        String name = words[1];
        switch (words[0]) {
            case "ping" -> start(name, () -> ping(name, words[2], Integer.parseInt(words[3])));
            case "send" -> {
                for (int i = 0; i < Integer.parseInt(words[3]); i++) {
                    start(name, () -> send(name, words[2]));
                }
            }
            case "stop" -> stop(name);
            case "count" -> say("count " + name + " " + counter(name).sum() + " " + System.nanoTime());
            default -> say("error " + name + " unknown command " + words[0]);
        }
    }

    private void ping(String name, String address, int times) throws IOException {
        try (Socket socket = connect(address)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(ECHO);
            long shortest = Long.MAX_VALUE;
            for (int i = 0; i < times; i++) {
                long start = System.nanoTime();
                out.write(i);
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("connection closed");
                }
                shortest = Math.min(shortest, System.nanoTime() - start);
            }
            say("ping " + name + " " + shortest);
        }
    }

    private void send(String name, String address) throws IOException {
        try (Socket socket = connect(address)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(SINK);
            out.writeUTF(name);
            byte[] chunk = new byte[CHUNK_BYTES];
            Arrays.fill(chunk, (byte) 0x5a);
            sending.computeIfAbsent(name, unused -> new ConcurrentLinkedQueue<>())
                    .add(socket);
            while (!socket.isClosed()) {
                out.write(chunk);
            }
        }
    }

    /** Drops queued data, too: they must not disturb the next measurement. */
    private void stop(String name) {
        Queue<Socket> sockets = sending.remove(name);
        while (sockets != null && !sockets.isEmpty()) {
            try (Socket socket = sockets.remove()) {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                say("error " + name + " " + e.getMessage());
            }
        }
    }

    private static Socket connect(String address) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address, PORT), CONNECT_MILLIS);
        return socket;
    }

    private void accept(ServerSocket server) throws IOException {
        while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            start("receive", () -> serve(socket));
        }
    }

    private void serve(Socket accepted) throws IOException {
        try (Socket socket = accepted) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int kind = in.read();
            if (kind == ECHO) {
                for (int b = in.read(); b >= 0; b = in.read()) {
                    socket.getOutputStream().write(b);
                }
            } else if (kind == SINK) {
                LongAdder counter = counter(in.readUTF());
                byte[] chunk = new byte[CHUNK_BYTES];
                for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                    counter.add(count);
                }
            }
        }
    }

    private LongAdder counter(String name) {
        return received.computeIfAbsent(name, unused -> new LongAdder());
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // stopped senders and receivers end like this, too; only received bytes count
                        if (!(e instanceof SocketException)) {
                            say("error " + name + " " + e.getMessage());
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
