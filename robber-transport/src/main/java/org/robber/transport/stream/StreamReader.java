package org.robber.transport.stream;

import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.StreamOptions;
import org.robber.transport.rendezvous.BlockingCalls;

/** A stream at a node that reads. A thread of its own takes part in the calls, as far as there is memory. */
public final class StreamReader implements MulticastStream {
    private final Communicator nodes;
    private final int root;
    private final StreamOptions options;
    private final BlockingQueue<ByteBuffer> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

    /** What is being read; null if the next arrival is. */
    private @Nullable Arrival current;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile boolean open = true;

    /** Whether the program waits for data; until when it did, by {@link System#nanoTime}. */
    private volatile boolean waiting;

    private volatile long waitedUntilNanos = System.nanoTime();

    /** Why this node gets nothing any more while the others go on; null if it does. */
    private volatile @Nullable RobberException dropped;

    /** Why the job is over; null if it is not. */
    private volatile @Nullable RobberException jobEnd;

    /**
     * What comes next.
     *
     * @param chunk a chunk that is under way, or null
     * @param operation brings the chunk; null at the end
     * @param failure why nothing comes any more, or null
     */
    private record Arrival(
            @Nullable ByteBuffer chunk,
            @Nullable Operation<Void> operation,
            @Nullable RobberException failure) {}

    private StreamReader(Communicator nodes, int root, StreamOptions options) {
        this.nodes = nodes;
        this.root = root;
        this.options = options;
        int roomBytes = ChunkSize.of(options).roomBytes();
        for (int i = 0; i < ChunkSize.CHUNKS_PER_WINDOW; i++) {
            free.add(ByteBuffer.allocateDirect(roomBytes));
        }
    }

    /** A stream that takes part from now on. The communicator is its own. */
    public static StreamReader start(Communicator nodes, int root, StreamOptions options) {
        StreamReader reader = new StreamReader(nodes, root, options);
        Thread thread = new Thread(reader::takePart, "robber-stream");
        thread.setDaemon(true);
        thread.start();
        return reader;
    }

    /** The job is over. Chunks that are here can still be read. A program that never reads holds no thread up. */
    public void jobEnded(RobberException why) {
        jobEnd = why;
        free.add(ByteBuffer.allocate(0));
    }

    /** Completes when this node takes part no more. */
    public CompletionStage<Void> ended() {
        return ended;
    }

    private void takePart() {
        try {
            takeChunks();
        } finally {
            ended.complete(null);
        }
    }

    private void takeChunks() {
        try {
            while (true) {
                ByteBuffer chunk = room();
                RobberException over = jobEnd;
                if (over != null) {
                    throw BlockingCalls.again(over);
                }
                int[] length = new int[1];
                nodes.bcast(length, root);
                if (length[0] == 0) {
                    // A program that has read the end may leave the job, and the others need this node until here.
                    nodes.close();
                    arrivals.add(new Arrival(null, null, null));
                    return;
                }
                if (AbortText.isMark(length[0])) {
                    byte[] why = AbortText.roomFor(length[0]);
                    nodes.bcast(why, root);
                    nodes.close();
                    arrivals.add(new Arrival(null, null, aborted(AbortText.of(why))));
                    return;
                }
                if (chunk.capacity() < length[0]) {
                    chunk = ByteBuffer.allocateDirect(length[0]);
                }
                chunk.clear().limit(length[0]);
                Arrival arrival = new Arrival(chunk, nodes.iBcast(chunk, root), null);
                if (dropped == null) {
                    arrivals.add(arrival);
                } else {
                    throwAway(arrival);
                }
                if (!open) {
                    throwAway();
                }
            }
        } catch (RobberException e) {
            // The communicator stays open: to close it is a call of all, and others may not know of the failure yet.
            arrivals.add(new Arrival(null, null, e));
        } catch (InterruptedException e) {
            arrivals.add(new Arrival(null, null, interrupted(e)));
        } catch (RuntimeException | Error e) {
            int rank = nodes.worldRank(nodes.rank());
            RobberException defect =
                    new RobberException(Reason.INTERNAL, List.of(rank), "stream", "a defect of Robber: " + e, e);
            arrivals.add(new Arrival(null, null, defect));
            // The others would wait for this node.
            nodes.fail(defect);
        }
    }

    /** Memory for a chunk. A reader that has none for too long is dropped: what comes is thrown away, so there is memory again. */
    private ByteBuffer room() throws InterruptedException {
        Duration limit = options.dropAfter();
        if (limit == null || dropped != null) {
            return free.take();
        }
        long limitNanos = TimeUnit.NANOSECONDS.convert(limit);
        long slowNanos = 0;
        for (long since = System.nanoTime(); slowNanos < limitNanos; slowNanos = System.nanoTime() - since) {
            ByteBuffer chunk = free.poll(limitNanos - slowNanos, TimeUnit.NANOSECONDS);
            if (chunk != null) {
                return chunk;
            }
            // While the program waits for data, not the program is slow.
            long now = System.nanoTime();
            since = waiting ? now : Math.max(since, waitedUntilNanos);
        }
        int rank = nodes.worldRank(nodes.rank());
        RobberException why = new RobberException(
                Reason.DEADLINE,
                List.of(rank),
                "stream",
                nodes.nodeName(nodes.rank()) + " (rank " + rank + ") was dropped from the stream: its program has made"
                        + " no room for " + limit.toMillis() + " ms");
        dropped = why;
        throwAway();
        // A read may have begun to wait meanwhile.
        arrivals.add(new Arrival(null, null, why));
        return free.take();
    }

    @Override
    public int read(ByteBuffer target) {
        if (!open) {
            throw new IllegalStateException("the stream is closed");
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        Arrival arrival = arrival();
        ByteBuffer chunk = arrival.chunk;
        if (chunk == null) {
            return -1;
        }
        int bytes = Math.min(target.remaining(), chunk.remaining());
        target.put(target.position(), chunk, chunk.position(), bytes).position(target.position() + bytes);
        chunk.position(chunk.position() + bytes);
        if (!chunk.hasRemaining()) {
            current = null;
            free.add(chunk);
        }
        return bytes;
    }

    /** What is being read: a chunk that is here, or the end. A failure is thrown again by each later read. */
    private Arrival arrival() {
        Arrival begun = current;
        Arrival arrival = begun == null ? next() : begun;
        current = arrival;
        // Chunks before this one may have been thrown away while this one was taken.
        RobberException why = dropped == null ? arrival.failure : dropped;
        if (why != null) {
            throw BlockingCalls.again(why);
        }
        return arrival;
    }

    /** Waits for what comes next. */
    private Arrival next() {
        waiting = true;
        try {
            Arrival arrival = arrivals.take();
            if (arrival.operation != null) {
                arrival.operation.await();
            }
            return arrival;
        } catch (RobberException e) {
            // The chunk may hold anything, so no later read may have it.
            return new Arrival(null, null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        } finally {
            waitedUntilNanos = System.nanoTime();
            waiting = false;
        }
    }

    private RobberException aborted(String why) {
        int rank = nodes.worldRank(root);
        return new RobberException(
                Reason.SOURCE,
                List.of(rank),
                "stream",
                nodes.nodeName(root) + " (rank " + rank + ") has aborted the stream: " + why);
    }

    private RobberException interrupted(InterruptedException cause) {
        return new RobberException(
                Reason.INTERRUPTED,
                List.of(nodes.worldRank(nodes.rank())),
                "stream",
                nodes.nodeName(nodes.rank()) + " was interrupted while it read a stream",
                cause);
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public void flush() {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void abort(String why) {
        throw new NonWritableChannelException();
    }

    /** The others go on: what comes is thrown away. A program whose reader was dropped may leave the job next, so its node stays until the end of the stream. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        Arrival arrival = current;
        current = null;
        if (arrival != null && arrival.chunk != null) {
            free.add(arrival.chunk);
        }
        throwAway();
        if (dropped != null) {
            awaitEnd();
        }
    }

    private void awaitEnd() {
        try {
            ended.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("it only ever completes", e);
        }
    }

    private void throwAway() {
        for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
            throwAway(next);
        }
    }

    /** The memory of the chunk is free again when the call that brings it has ended. */
    private void throwAway(Arrival arrival) {
        ByteBuffer chunk = arrival.chunk;
        if (chunk != null && arrival.operation != null) {
            arrival.operation.toCompletionStage().whenComplete((done, problem) -> free.add(chunk));
        }
    }
}
