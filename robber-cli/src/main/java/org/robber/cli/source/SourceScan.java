package org.robber.cli.source;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.FailureText;

/**
 * What a node knows of the source, or of the part of it that one node has, once that node has looked at it.
 *
 * @param source rank of the node that has it
 * @param root the source, at the node that has it
 * @param facts what all nodes need to know
 * @param summary what rank 0 says of it; only there
 */
public record SourceScan(
        int source,
        @Nullable Root root,
        SourceInfo facts,
        @Nullable SourceSummary summary) {

    /**
     * Brings what is known of the source to all. All nodes call this.
     *
     * @param root not null at the node that has it
     * @param source rank of that node
     */
    public static SourceScan share(
            Communicator world, FailureReporter reporter, @Nullable Root root, int source, boolean deletes) {
        byte[] facts = root == null
                ? new byte[0]
                : reporter.here(Reason.SOURCE, () -> root.facts(deletes).toBytes());
        byte[] summary = root == null ? new byte[0] : root.summary().toBytes();
        ByteBuffer mine = ByteBuffer.allocate(Integer.BYTES + facts.length + summary.length)
                .putInt(facts.length)
                .put(facts)
                .put(summary);
        AtomicReference<SourceSummary> atRankZero = new AtomicReference<>();
        byte[] shared = world.control().agree(mine.array(), told -> {
            if (told.get(source).length == 0) {
                throw lost(world, source, "scan", "");
            }
            ByteBuffer all = ByteBuffer.wrap(told.get(source));
            byte[] factsOfSource = new byte[all.getInt()];
            all.get(factsOfSource);
            byte[] summaryOfSource = new byte[all.remaining()];
            all.get(summaryOfSource);
            atRankZero.set(SourceSummary.fromBytes(summaryOfSource));
            return factsOfSource;
        });
        // The summary that another node gets of the source may be cut short.
        SourceSummary said = root != null && world.rank() == 0 ? root.summary() : atRankZero.get();
        return new SourceScan(source, root, SourceInfo.fromBytes(shared), said);
    }

    /** Rank 0, which has a stream, tells the others that in place of {@link #share}. */
    public static void shareStream(Communicator world, int chunkBytes) {
        byte[] unused = world.control()
                .agree(new byte[0], told -> SourceInfo.ofStream(chunkBytes).toBytes());
    }

    /** What rank 0 says of all parts together. */
    public static SourceSummary summary(List<SourceScan> parts) {
        return SourceSummary.of(parts.stream().map(SourceScan::ofRankZero).toList());
    }

    private SourceSummary ofRankZero() {
        if (summary == null) {
            throw new IllegalStateException("only rank 0 sums up the source");
        }
        return summary;
    }

    /**
     * The end of a job whose source is gone.
     *
     * @param why the node is lost, as a clause; may be empty
     */
    public static RobberException lost(Communicator world, int source, String phase, String why) {
        return new RobberException(
                Reason.NETWORK,
                List.of(source),
                phase,
                FailureText.node(world, source) + ", which has the source, is lost" + why
                        + "; run the same command again");
    }

    /** Whether this node writes no copy of it, since the source is where that would be. */
    public boolean isCopy() {
        return root != null && root.keepsSource();
    }
}
