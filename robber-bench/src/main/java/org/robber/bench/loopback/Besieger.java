package org.robber.bench.loopback;

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
 * Somebody without the secret, who connects to some ports at a steady rate, as long as it is open,
 * and does one after the other: goes again at once; says half a greeting and stays; begins a greeting and stays; repeats what
 * a true node has said to another one; or makes up a proof and goes on with frames as nodes send them.
 */
final class Besieger implements AutoCloseable {
    private static final int MOST_STAYING = 200;
    private static final int VISITS_BETWEEN_LOOKS = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What it says, and whether it stays. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares these
    private record Speech(byte[] words, boolean stays) {}

    private final List<Speech> speeches;
    private final Supplier<List<Integer>> doors;
    private final int mostDoors;
    private final Deque<SocketChannel> staying = new ArrayDeque<>();
    private final long periodNanos;
    private final Thread thread = new Thread(this::besiege, "besieger");
    private volatile boolean closed;
    private final AtomicInteger visits = new AtomicInteger();

    /**
     * @param job of a node that besieged nodes would let in: to be overheard, and no more
     * @param perSecond how many connections it makes
     * @param doors finds the ports to connect to
     * @param mostDoors when so many were found, it looks no further
     */
    Besieger(JobOptions job, int perSecond, Supplier<List<Integer>> doors, int mostDoors) {
        this.doors = doors;
        this.mostDoors = mostDoors;
        this.speeches = speeches(job);
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        thread.setDaemon(true);
        thread.start();
    }

    private static List<Speech> speeches(JobOptions job) {
        Credentials credentials = Credentials.of(job);
        EmbeddedChannel connecting = new EmbeddedChannel(credentials.connecting());
        EmbeddedChannel listening = new EmbeddedChannel(credentials.listening());
        byte[] hello = said(connecting);
        listening.writeInbound(Unpooled.wrappedBuffer(hello.clone()));
        connecting.writeInbound(Unpooled.wrappedBuffer(said(listening)));
        byte[] proof = said(connecting);
        connecting.finishAndReleaseAll();
        listening.finishAndReleaseAll();

        byte[] forged = bytes(GreetingCodec.encode(new Greeting.Proof(new byte[Greeting.PROOF_BYTES])));
        byte[] frame = bytes(ControlCodec.encode(
                new ControlMessage.Announce(job.job(), 1, 2, "A", "localhost", 1, "127.0.0.1", 1, "")));
        return List.of(
                new Speech(new byte[0], false),
                new Speech(join(hello).array(), true),
                new Speech(
                        ByteBuffer.allocate(hello.length / 2)
                                .put(hello, 0, hello.length / 2)
                                .array(),
                        true),
                new Speech(join(hello, proof).array(), false),
                new Speech(join(hello, forged, frame, frame, frame).array(), false));
    }

    private static byte[] said(EmbeddedChannel channel) {
        ByteBuf words = channel.readOutbound();
        byte[] bytes = new byte[words.readableBytes()];
        words.readBytes(bytes).release();
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
    int visits() {
        return visits.get();
    }

    private void besiege() {
        List<Integer> ports = new ArrayList<>();
        long next = System.nanoTime();
        for (int turn = 0; !closed; turn++) {
            if (ports.isEmpty() || (ports.size() < mostDoors && turn % VISITS_BETWEEN_LOOKS == 0)) {
                ports = doors.get();
            }
            if (ports.isEmpty()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                next = System.nanoTime();
                continue;
            }
            visit(ports.get(turn / speeches.size() % ports.size()), speeches.get(turn % speeches.size()));
            next += periodNanos;
            for (long left = next - System.nanoTime(); left > 0 && !closed; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        while (!staying.isEmpty()) {
            leave(staying.remove());
        }
    }

    private void visit(int port, Speech speech) {
        try {
            SocketChannel socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            visits.incrementAndGet();
            if (!speech.stays()) {
                try (socket) {
                    say(socket, speech.words());
                }
                return;
            }
            staying.add(socket);
            say(socket, speech.words());
            if (staying.size() > MOST_STAYING) {
                leave(staying.remove());
            }
        } catch (IOException e) {
            // sent away, or the node has ended
        }
    }

    private static void say(SocketChannel socket, byte[] words) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(words);
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

    /** Ends the siege, and returns when it has ended. */
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
