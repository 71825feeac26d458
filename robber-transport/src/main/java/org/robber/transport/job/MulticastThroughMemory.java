package org.robber.transport.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A multicast from one root to processes of its machine, in rounds. The root shows a part of the data in {@link ChannelMemory}, and all meet; then the others copy
 * it. When they meet again, all have copied it. A round is a call through rank 0, so all come to know together that the root is lost.
 */
final class MulticastThroughMemory extends MulticastFromOneRoot {
    private static final byte[] NOTHING = {};

    private static final byte[] SHOWN = {1};

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

    /** Returns when all is here. */
    void run(BlockingCalls waiting) {
        long rounds = memory.rounds(data().sizeBytes());
        for (long round = 0; round < rounds; round++) {
            CollectiveCall call = begin("round " + round);
            if (isRoot()) {
                awaitPart(round, this::show, waiting);
            }
            byte[] shown = waiting.until(
                    call.arrive(isRoot() ? SHOWN : NOTHING, payloads -> payloads.get(rootRank())), phase());
            if (shown.length != SHOWN.length) {
                failWithoutRoot();
                waiting.until(verified(), phase());
            } else if (!isRoot()) {
                awaitPart(round, this::copy, waiting);
            }
        }
        hasAll(begin("end"));
    }

    private CollectiveCall begin(String step) {
        return job().context()
                .controlPlane()
                .begin(phase() + " of " + data().sizeBytes() + " bytes from rank " + rootRank() + ", through memory, "
                        + step);
    }

    /** What a node does with its storage in a round. */
    private interface Part {
        void act(long offset, ByteBuffer shown) throws IOException;
    }

    /** A storage may hang, or be slow, so it is used where that is noticed. */
    private void awaitPart(long round, Part part, BlockingCalls waiting) {
        long offset = round * memory.roundBytes();
        int bytes = (int) Math.min(memory.roundBytes(), data().sizeBytes() - offset);
        CompletableFuture<Void> done = new CompletableFuture<>();
        job().context().storageThreads().execute(() -> {
            try {
                if (!isOver()) {
                    part.act(offset, memory.of(round, bytes));
                    done.complete(null);
                }
            } catch (IOException | RuntimeException | Error e) {
                failures().here(e);
            }
        });
        // If the part fails, so does the job, or this node, and this is closed.
        waiting.until(CompletableFuture.anyOf(done, verified()), phase());
    }

    private void show(long offset, ByteBuffer shown) throws IOException {
        int bytes = shown.remaining();
        data().read(offset, shown);
        countSent(others(), bytes);
    }

    private void copy(long offset, ByteBuffer shown) throws IOException {
        int bytes = shown.remaining();
        data().write(offset, shown);
        countReceived(rootRank(), bytes);
    }

    @Override
    public void lost(int rank, RobberException why) {
        // A lost root is noticed at the end of a round. What it has shown stays.
    }
}
