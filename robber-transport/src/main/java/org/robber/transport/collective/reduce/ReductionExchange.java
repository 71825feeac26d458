package org.robber.transport.collective.reduce;

import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import org.robber.core.piece.PieceLayout;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.memory.ReusedMemory;

/**
 * A reduction in pieces, at one member.
 *
 * @param layout of all pieces, those of contributions, partial results and results
 * @param placement who has, wants and produces which pieces
 * @param storage the pieces of this node
 * @param products what this node combines
 */
public record ReductionExchange(
        PieceLayout layout, DataPlacement placement, ReductionStorage storage, ReductionProducts products) {

    /**
     * The exchange of a reduction.
     *
     * @param vector the pieces of a vector: its chunks
     * @param memory for pieces that are not the user's
     * @param mostRelayedBytes memory for those of them that this node brings for others
     */
    public static ReductionExchange of(
            Reduction reduction,
            PartLayout vector,
            ReductionPlan plan,
            ReusedMemory<ByteBuffer> memory,
            long mostRelayedBytes) {
        DataPlacement placement =
                plan.placement().withRelays(Ints.saturatedCast(mostRelayedBytes / vector.pieceBytes()));
        PieceLayout layout = new PieceLayout((long) placement.pieceCount() * vector.pieceBytes(), vector.pieceBytes());
        ReductionStorage storage = new ReductionStorage(reduction, vector, plan, memory);
        return new ReductionExchange(layout, placement, storage, new ReductionProducts(reduction, plan, storage));
    }
}
