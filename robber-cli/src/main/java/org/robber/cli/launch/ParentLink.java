package org.robber.cli.launch;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * A node's end of the pipe from the process that started it. Through it come its order, the secret of the job, and the port of rank
 * 0. The secret comes this way because others can read arguments and environments of a process. The end of the pipe means that the
 * process that started the node is gone.
 */
public final class ParentLink implements AutoCloseable {

    static final String SECRET = "secret ";
    static final String ORDER = "order ";
    static final String RENDEZVOUS = "rendezvous ";

    /** Before the number of the bytes of standard input that follow the line; 0 is its end. */
    static final String DATA = "data ";

    /** Before the reason why standard input cannot be read any further. */
    static final String BROKEN = "broken ";

    private static final int BUFFER_BYTES = 128 << 10;
    private static final long CLOSE_MILLIS = 100;

    /** In place of a port that did not come in time. */
    private static final int NO_PORT = 0;

    private final CompletableFuture<byte[]> secret = new CompletableFuture<>();
    private final CompletableFuture<NodeOrder> order = new CompletableFuture<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final ForwardedInput data = new ForwardedInput();
    private final Thread listener;
    private volatile boolean closed;

    private final LongSupplier nanoClock;
    private volatile long heardNanos;

    private ParentLink(InputStream input, Runnable gone, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.heardNanos = nanoClock.getAsLong();
        this.listener = new Thread(() -> read(input, gone), "parent-link");
        listener.setDaemon(true);
    }

    /**
     * Begins to listen.
     *
     * @param input of a kind that an interrupt ends
     * @param gone run once, when the process that started this one is gone
     */
    public static ParentLink listen(InputStream input, Runnable gone) {
        return listen(input, gone, System::nanoTime);
    }

    static ParentLink listen(InputStream input, Runnable gone, LongSupplier nanoClock) {
        ParentLink link = new ParentLink(input, gone, nanoClock);
        link.listener.start();
        return link;
    }

    /** The bytes of a pipe, in a stream that an interrupt ends. */
    static InputStream bytesOf(ReadableByteChannel pipe) {
        // A stream over the channel of a file asks how much is left of it, and pipes have no position.
        return Channels.newInputStream(new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return pipe.read(target);
            }

            @Override
            public boolean isOpen() {
                return pipe.isOpen();
            }

            @Override
            public void close() throws IOException {
                pipe.close();
            }
        });
    }

    /** The secret of the job; waits until it is known. */
    public byte[] secret() {
        return await(secret);
    }

    /**
     * The part of this node in the job; waits until it is known.
     *
     * @param silence the longest time in which nothing comes, not even an empty line
     * @throws RobberException with {@code INTERRUPTED} if the process that started the node is gone, or silent for too long
     * @throws CompletionException if what came is no order
     */
    public NodeOrder order(Duration silence) {
        while (true) {
            long leftNanos = silence.toNanos() - (nanoClock.getAsLong() - heardNanos);
            try {
                return order.get(leftNanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (leftNanos <= 0) {
                    throw new RobberException(
                            Reason.INTERRUPTED,
                            List.of(),
                            "launch",
                            "the process that started this node has sent nothing for " + silence.toSeconds()
                                    + " s: its machine or the network to it is down",
                            e);
                }
            } catch (ExecutionException e) {
                return await(order);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return await(order);
            }
        }
    }

    /**
     * The port at which rank 0 listens; waits until it is known, at most this long.
     *
     * @throws RobberException with {@code TOO_FEW_NODES} if rank 0 has not said it by then
     */
    public int port(Duration limit) {
        var unused = port.completeOnTimeout(NO_PORT, limit.toNanos(), TimeUnit.NANOSECONDS);
        int known = await(port);
        if (known == NO_PORT) {
            throw new RobberException(
                    Reason.TOO_FEW_NODES,
                    List.of(0),
                    "launch",
                    "rank 0 has not begun to listen within " + limit.toSeconds()
                            + " s: its process is stopped, or hangs at its start; look at it, and run the same command again");
        }
        return known;
    }

    /** The standard input of the process that started the node, if that forwards it. */
    public ReadableByteChannel data() {
        return data;
    }

    private void read(InputStream input, Runnable gone) {
        try (InputStream bytes = new BufferedInputStream(input, BUFFER_BYTES)) {
            for (String line = line(bytes); line != null; line = line(bytes)) {
                heardNanos = nanoClock.getAsLong();
                if (line.startsWith(SECRET)) {
                    secret.complete(HexFormat.of().parseHex(line, SECRET.length(), line.length()));
                } else if (line.startsWith(ORDER)) {
                    order.complete(NodeOrderCodec.fromText(line.substring(ORDER.length())));
                } else if (line.startsWith(RENDEZVOUS)) {
                    port.complete(Integer.parseInt(line.substring(RENDEZVOUS.length())));
                } else if (line.startsWith(DATA)) {
                    int length = Integer.parseInt(line.substring(DATA.length()));
                    byte[] frame = bytes.readNBytes(length);
                    if (frame.length < length) {
                        // the end of the link is no end of the data
                        break;
                    }
                    data.add(frame);
                } else if (line.startsWith(BROKEN)) {
                    data.fail(line.substring(BROKEN.length()));
                }
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            // Whoever waits would wait for ever. A class of a damaged jar may be missing, too.
            secret.completeExceptionally(e);
            order.completeExceptionally(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closed) {
            return;
        }
        RobberException end = ended("the process that started this node has ended");
        secret.completeExceptionally(end);
        order.completeExceptionally(end);
        // nobody tells a port where rank 0 has failed before it listened
        port.completeExceptionally(ended("rank 0, or the process that started this node, has ended"));
        gone.run();
    }

    private static RobberException ended(String message) {
        return new RobberException(Reason.INTERRUPTED, List.of(), "launch", message);
    }

    /** Listens no more. Java waits 0.3 s, when it ends, for a thread that reads. */
    @Override
    public void close() {
        closed = true;
        listener.interrupt();
        try {
            listener.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next line without its end; null if there is none. */
    private static @Nullable String line(InputStream bytes) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = bytes.read(); next != '\n'; next = bytes.read()) {
            if (next < 0) {
                return null;
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RobberException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
