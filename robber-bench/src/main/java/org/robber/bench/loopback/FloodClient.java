package org.robber.bench.loopback;

import com.google.common.collect.ImmutableList;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.robber.JobOptions;
import org.robber.core.protocol.Greeting;
import org.robber.core.wire.GreetingCodec;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.security.Credentials;

/**
 * A client without the secret that connects to some ports at a steady rate until it is closed. In turn it leaves at once; sends a
 * greeting, or half of one, and stays connected; repeats the recorded greeting of a node; and sends a forged proof with frames of a
 * node.
 */
final class FloodClient implements AutoCloseable {
    private static final int MOST_OPEN = 200;
    private static final int CONNECTIONS_BETWEEN_LOOKS = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The bytes of a connection, and whether it stays open after them. */
    @SuppressWarnings("ArrayRecordComponent") // these are never compared
    private record Script(byte[] bytes, boolean stays) {}

    private final List<Script> scripts;
    private final Supplier<List<Integer>> listening;
    private final int mostPorts;
    private final Deque<SocketChannel> staying = new ArrayDeque<>();
    private final long periodNanos;
    private final Thread thread = new Thread(this::flood, "flood-client");
    private volatile boolean closed;
    private final AtomicInteger connections = new AtomicInteger();

    /**
     * @param job of a node with the secret; its greeting is recorded and sent again
     * @param perSecond how many connections it makes
     * @param listening finds the ports to connect to
     * @param mostPorts once it has found this many ports, it looks for no more
     */
    FloodClient(JobOptions job, int perSecond, Supplier<List<Integer>> listening, int mostPorts) {
        this.listening = listening;
        this.mostPorts = mostPorts;
        this.scripts = scripts(job);
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        thread.setDaemon(true);
        thread.start();
    }

    private static List<Script> scripts(JobOptions job) {
        Credentials credentials = Credentials.of(job);
        EmbeddedChannel connecting = new EmbeddedChannel(credentials.connecting());
        EmbeddedChannel listening = new EmbeddedChannel(credentials.listening());
        byte[] hello = sent(connecting);
        listening.writeInbound(Unpooled.wrappedBuffer(hello.clone()));
        connecting.writeInbound(Unpooled.wrappedBuffer(sent(listening)));
        byte[] proof = sent(connecting);
        connecting.finishAndReleaseAll();
        listening.finishAndReleaseAll();

        byte[] forged = bytes(GreetingCodec.encode(new Greeting.Proof(new byte[Greeting.PROOF_BYTES])));
        byte[] frame = bytes(ControlCodec.encode(new ControlMessage.Announce(
                job.job(), 1, 2, "A", "localhost", 1, ImmutableList.of("127.0.0.1"), 1, "")));
        return List.of(
                new Script(new byte[0], false),
                new Script(join(hello).array(), true),
                new Script(
                        ByteBuffer.allocate(hello.length / 2)
                                .put(hello, 0, hello.length / 2)
                                .array(),
                        true),
                new Script(join(hello, proof).array(), false),
                new Script(join(hello, forged, frame, frame, frame).array(), false));
    }

    private static byte[] sent(EmbeddedChannel channel) {
        ByteBuf buffer = channel.readOutbound();
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes).release();
        return bytes;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static ByteBuffer join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all;
    }

    /** How many connections it has made. */
    int connections() {
        return connections.get();
    }

    private void flood() {
        List<Integer> ports = new ArrayList<>();
        long next = System.nanoTime();
        for (int turn = 0; !closed; turn++) {
            if (ports.isEmpty() || (ports.size() < mostPorts && turn % CONNECTIONS_BETWEEN_LOOKS == 0)) {
                ports = listening.get();
            }
            if (ports.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                next = System.nanoTime();
                continue;
            }
            connect(ports.get(turn / scripts.size() % ports.size()), scripts.get(turn % scripts.size()));
            next += periodNanos;
            for (long left = next - System.nanoTime(); left > 0 && !closed; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        while (!staying.isEmpty()) {
            leave(staying.remove());
        }
    }

    private void connect(int port, Script script) {
        try {
            SocketChannel socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            connections.incrementAndGet();
            if (!script.stays()) {
                try (socket) {
                    send(socket, script.bytes());
                }
                return;
            }
            staying.add(socket);
            send(socket, script.bytes());
            if (staying.size() > MOST_OPEN) {
                leave(staying.remove());
            }
        } catch (IOException e) {
            // sent away, or the node has ended
        }
    }

    private static void send(SocketChannel socket, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            socket.write(left);
        }
    }

    private static void leave(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone in any case
        }
    }

    /** Ends the flood, and returns when it has ended. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
