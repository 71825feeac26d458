package org.robber.transport.job;

import com.google.common.primitives.Ints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;
import org.robber.transport.storage.UserStorage;

/**
 * A multicast from one root to processes of its machine, in rounds. The root shows a part of the data in {@link ChannelMemory}, and all meet; then the others copy
 * it. When they meet again, all have copied it. A round is a call through rank 0, so all come to know together that the root is lost.
 */
final class MulticastThroughMemory extends MulticastFromOneRoot {
    /** A storage that is slow must not look like one that hangs, so a task does little. */
    private static final int TASK_BYTES = 1 << 20;

    /** A slow root shows what it has by then, so the others make progress. */
    private static final long MOST_SHOWING_NANOS = 1_000_000_000L;

    private static final byte[] NOTHING = {};

    /** The reply of rank 0 if the data go in pieces instead. */
    private static final byte[] IN_PIECES = {0};

    private final ChannelMemory memory;

    /** @throws RobberException if the root was lost in an earlier multicast */
    MulticastThroughMemory(
            TransferFactory transfers,
            NettyJob job,
            PeerLinks links,
            MulticastGroup group,
            String phase,
            Storage data,
            int rootRank,
            ChannelMemory memory) {
        super(transfers, job, links, group, phase, data, rootRank);
        this.memory = memory;
    }

    /**
     * Returns once all is here, and at nodes that have received it everywhere.
     *
     * @param mayBeJoined at rank 0, whether nodes may join this multicast; of no effect elsewhere
     * @return false if the data have to go in pieces, as nodes may join; the same at all
     */
    boolean run(boolean mayBeJoined, BlockingCalls waiting) {
        long from = 0;
        for (long round = 0; from < data.sizeBytes(); round++) {
            CollectiveCall call = begin("round " + round);
            int shown = isRoot() ? show(round, from, waiting) : 0;
            byte[] reply = waiting.until(
                    call.arrive(
                            isRoot() ? Ints.toByteArray(shown) : NOTHING,
                            payloads -> mayBeJoined ? IN_PIECES : payloads.get(rootRank)),
                    phase());
            if (reply.length == IN_PIECES.length) {
                endReports();
                return false;
            }
            if (reply.length < Integer.BYTES) {
                failWithoutRoot();
                waiting.until(verified(), phase());
            }
            int bytes = Ints.fromByteArray(reply);
            if (!isRoot()) {
                copy(round, from, bytes, waiting);
            }
            from += bytes;
        }
        hasAll(begin("end"));
        if (!isRoot()) {
            // A node that was taken for lost may have copied what is shown next. It gets no answer.
            awaitEveryone(waiting);
        }
        return true;
    }

    private CollectiveCall begin(String step) {
        return job.context()
                .controlPlane()
                .begin(phase() + " of " + data.sizeBytes() + " bytes from rank " + rootRank + ", through memory, "
                        + step);
    }

    private int show(long round, long from, BlockingCalls waiting) {
        int most = (int) Math.min(memory.halfBytes(), data.sizeBytes() - from);
        int shown = inTasks(
                memory.half(round).limit(most),
                (offset, part) -> UserStorage.read(data, from + offset, part),
                MOST_SHOWING_NANOS,
                waiting);
        countSent(others(), shown);
        return shown;
    }

    private void copy(long round, long from, int bytes, BlockingCalls waiting) {
        Part copying = (offset, part) -> {
            int length = part.remaining();
            // The others read the same memory.
            UserStorage.write(data, from + offset, part.asReadOnlyBuffer());
            countReceived(rootRank, length);
        };
        inTasks(memory.half(round).limit(bytes), copying, Long.MAX_VALUE, waiting);
    }

    /** Moves bytes between the storage of this node and a part of the memory, at this offset in it. */
    private interface Part {
        void act(int offset, ByteBuffer part) throws IOException;
    }

    /** Acts on one part after the other, until all is done or so much time is over. Returns the number of bytes. */
    private int inTasks(ByteBuffer shown, Part part, long mostNanos, BlockingCalls waiting) {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        execute(() -> act(shown, 0, part, System.nanoTime(), mostNanos, done));
        // If a part fails, so does the job, or this node, and this is closed.
        waiting.until(CompletableFuture.anyOf(done, verified()), phase());
        return done.join();
    }

    private void act(
            ByteBuffer shown, int from, Part part, long begin, long mostNanos, CompletableFuture<Integer> done) {
        if (isOver()) {
            return;
        }
        int bytes = Math.min(TASK_BYTES, shown.limit() - from);
        try {
            part.act(from, shown.slice(from, bytes));
        } catch (IOException | RuntimeException | Error e) {
            failures.here(e);
            return;
        }
        int end = from + bytes;
        if (end == shown.limit() || System.nanoTime() - begin > mostNanos) {
            done.complete(end);
        } else {
            execute(() -> act(shown, end, part, begin, mostNanos, done));
        }
    }

    /** On a thread where it is noticed if a storage hangs. */
    private void execute(Runnable task) {
        try {
            job.context().storageThreads().execute(task);
        } catch (RejectedExecutionException e) {
            close(job.context().failure(Reason.USAGE, job.rank(), phase(), "this node has left the job"));
        }
    }

    @Override
    void lost(int rank, RobberException why) {
        // A lost root is noticed at the end of a round. The bytes that it has shown stay.
    }
}
