package org.robber.transport.collective;

import org.robber.core.piece.PieceLayout;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.DataPlacement;

/**
 * A reduction in pieces, at one member.
 *
 * @param layout of all pieces, those of contributions, partial results and results
 * @param placement who has, wants and produces which pieces
 * @param storage the pieces of this node
 * @param products what this node combines
 */
record ReductionExchange(
        PieceLayout layout, DataPlacement placement, ReductionStorage storage, ReductionProducts products) {

    /** @param vector the pieces of a vector: its chunks */
    static ReductionExchange of(Reduction reduction, PartLayout vector, ReductionPlan plan) {
        DataPlacement placement = plan.placement();
        PieceLayout layout = new PieceLayout((long) placement.pieceCount() * vector.pieceBytes(), vector.pieceBytes());
        ReductionStorage storage = new ReductionStorage(reduction, vector, plan);
        return new ReductionExchange(layout, placement, storage, new ReductionProducts(reduction, plan, storage));
    }
}
