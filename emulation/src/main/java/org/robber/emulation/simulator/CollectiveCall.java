package org.robber.emulation.simulator;

import com.google.common.math.LongMath;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.checker.ReducedContents;

/**
 * The call that a run makes.
 *
 * @param layout of all pieces: of the data, or of all vectors and partial results of a reduction
 * @param placement who possesses, wants and produces which pieces
 * @param plan who combines what; null if this is no reduction
 */
record CollectiveCall(
        PieceLayout layout,
        DataPlacement placement,
        @Nullable ReductionPlan plan) {

    /** The call that a run with these options makes. */
    static CollectiveCall of(Scenario scenario, SimulationOptions options) {
        Collective collective = options.collective();
        long dataBytes = options.dataBytes();
        long parts = collective.parts(scenario);
        int lines = scenario.topology().mostLinesIntoACluster();
        if (!collective.isReduction()) {
            PieceLayout whole = evenParts(PieceLayout.automatic(dataBytes, lines), parts);
            PieceLayout layout = options.pieceBytes() == 0
                    ? PieceLayout.automatic(
                            dataBytes,
                            options.placement(scenario, whole.pieceCount())
                                    .mostBytesOfCluster(dataBytes, scenario.topology()),
                            lines)
                    : new PieceLayout(dataBytes, options.pieceBytes());
            layout = evenParts(layout, parts);
            return new CollectiveCall(layout, options.placement(scenario, layout.pieceCount()), null);
        }
        int pieceBytes = options.pieceBytes() == 0
                ? PieceLayout.automatic(
                                dataBytes, ReductionPlanner.bytesOfCluster(dataBytes, scenario.topology()), lines)
                        .pieceBytes()
                : options.pieceBytes();
        // At most: a contribution and a prefix of each rank, or also a partial result of each cluster, and the result.
        int piecesOfChunk = 2 * scenario.nodeCount() + 1;
        int chunkBytes = pieceBytes;
        while (options.pieceBytes() == 0 && dataBytes / chunkBytes >= PieceLayout.MAX_PIECES / piecesOfChunk) {
            chunkBytes *= 2;
        }
        PieceLayout vector = new PieceLayout(dataBytes, chunkBytes);
        int evenChunks = evenParts(vector, parts).pieceCount();
        int chunks = evenChunks < PieceLayout.MAX_PIECES / piecesOfChunk ? evenChunks : vector.pieceCount();
        ReductionPlanner planner = options.strategy().reductions(scenario.topology());
        ReductionPlan plan = collective.plan(scenario, planner, chunks);
        // Chunks have one size, so that of the last one is divided among all.
        int evenBytes = chunks == 0 ? chunkBytes : (int) ((dataBytes + chunks - 1) / chunks);
        DataPlacement placement = plan.placement().withRelays(Integer.MAX_VALUE);
        return new CollectiveCall(
                new PieceLayout((long) placement.pieceCount() * evenBytes, evenBytes), placement, plan);
    }

    /**
     * This layout, or one with smaller pieces of which each part of the data has the same number. Parts are padded to whole pieces, as in the product. It
     * stays as it is where there are too many parts to give each a piece.
     *
     * @param parts number of equal parts
     */
    private static PieceLayout evenParts(PieceLayout layout, long parts) {
        long partBytes = LongMath.divide(layout.totalBytes(), parts, RoundingMode.CEILING);
        long piecesOfPart = LongMath.divide(partBytes, layout.pieceBytes(), RoundingMode.CEILING);
        long pieces = piecesOfPart * parts;
        if (parts == 1 || pieces == 0 || pieces > PieceLayout.MAX_PIECES) {
            return layout;
        }
        int pieceBytes = (int) LongMath.divide(partBytes, piecesOfPart, RoundingMode.CEILING);
        return new PieceLayout(pieces * pieceBytes, pieceBytes);
    }

    /** What the nodes combine, or null if this is no reduction. */
    RunContext.@Nullable Reduction reduction(Scenario scenario, SimulationOptions options) {
        int nodes = scenario.nodeCount();
        return plan == null
                ? null
                : new RunContext.Reduction(
                        plan,
                        new ReducedContents(plan, nodes, options.resultSink()),
                        rank -> options.collective().ranksInResult(rank, nodes));
    }
}
