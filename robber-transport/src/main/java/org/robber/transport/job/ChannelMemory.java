package org.robber.transport.job;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.memory.SharedFile;
import org.robber.transport.rendezvous.BlockingCalls;

/**
 * Memory that all nodes of a channel share, if they are processes of one machine. The root of a multicast shows its data there, in two halves in turn. Not
 * thread-safe.
 */
final class ChannelMemory {
    /** Few rounds are fast, as long as the memory fits into the caches of a server. */
    private static final int MOST_HALF_BYTES = 1 << 24;

    /** Both halves take at most a quarter of the memory that a channel may use for pieces. */
    private static final int HALVES_IN_MEMORY = 8;

    private static final byte[] NOTHING = {};

    private static final byte[] OPENED = {1};

    private static final byte[] CANNOT = {0};

    private final JobContext context;
    private final boolean possible;
    private final int halfBytes;
    private @Nullable SharedFile file;
    private boolean agreed;

    /**
     * Not agreed on yet.
     *
     * @param possible whether the nodes may be found to share memory; the same at all
     * @param memoryBytes that the channel may use at each node
     */
    ChannelMemory(JobContext context, boolean possible, long memoryBytes) {
        this.context = context;
        this.possible = possible;
        this.halfBytes = (int) Math.min(MOST_HALF_BYTES, Long.highestOneBit(memoryBytes / HALVES_IN_MEMORY));
    }

    /**
     * Whether all nodes share the memory; the same at all. They agree on it once, which takes two calls.
     *
     * @param call what is to go through memory, for people, and to be compared between nodes
     */
    boolean isShared(String call, BlockingCalls waiting) {
        if (possible && !agreed) {
            agree(call, waiting);
            agreed = true;
        }
        return file != null;
    }

    private void agree(String call, BlockingCalls waiting) {
        boolean mayShare = context.mayShareMemory();
        SharedFile made = mayShare && context.rank() == 0 ? SharedFile.create(2 * halfBytes) : null;
        try {
            byte[] told = meet(
                    call + ": memory?", made == null ? NOTHING : made.told(), payloads -> payloads.get(0), waiting);
            SharedFile own = made != null || !mayShare ? made : SharedFile.open(told, 2 * halfBytes);
            byte[] answer = meet(
                    call + ": opened?",
                    own == null ? CANNOT : OPENED,
                    // Nodes that are lost say nothing.
                    payloads -> payloads.stream().anyMatch(each -> Arrays.equals(each, CANNOT)) ? CANNOT : OPENED,
                    waiting);
            if (Arrays.equals(answer, OPENED)) {
                file = own;
            } else if (own != null) {
                own.unmap();
            }
        } finally {
            if (made != null) {
                made.delete();
            }
        }
    }

    private byte[] meet(String call, byte[] payload, Function<List<byte[]>, byte[]> reply, BlockingCalls waiting) {
        return waiting.until(context.controlPlane().begin(call).arrive(payload, reply), call);
    }

    /** The most bytes that are shown in one round. */
    int halfBytes() {
        return halfBytes;
    }

    /** The half that is used in this round. All nodes have agreed. */
    ByteBuffer half(long round) {
        SharedFile shared = file;
        if (shared == null) {
            throw new IllegalStateException("no memory is shared");
        }
        return shared.memory().slice((int) (round % 2) * halfBytes, halfBytes);
    }

    /** Gives the memory back. Nothing is shown or copied any more. */
    void close() {
        SharedFile shared = file;
        file = null;
        if (shared != null) {
            shared.unmap();
        }
    }
}
