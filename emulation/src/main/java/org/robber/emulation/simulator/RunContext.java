package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.reduce.Product;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.Topology;
import org.robber.emulation.simulator.checker.InvariantViolationException;
import org.robber.emulation.simulator.checker.PieceInvariants;
import org.robber.emulation.simulator.checker.ReducedContents;
import org.robber.emulation.simulator.network.Connection;

/** Shared by all nodes of a run: costs, random faults, counters and invariants. */
final class RunContext {
    private final Topology topology;
    private final PieceLayout layout;
    private final NodeCosts costs;
    private final double corruptChance;
    private final SeededRandom random;
    private final PieceInvariants invariants;
    private final RunTally tally;
    private final @Nullable Reduction reduction;
    private @Nullable Rescue rescue;

    /**
     * The reduction that runs.
     *
     * @param resultRanks how many ranks the result of each rank combines
     */
    record Reduction(ReductionPlan plan, ReducedContents contents, IntUnaryOperator resultRanks) {}

    /** @param reduction what is combined, or null if nothing is */
    RunContext(
            Topology topology,
            PieceLayout layout,
            NodeCosts costs,
            double corruptChance,
            SeededRandom random,
            PieceInvariants invariants,
            RunTally tally,
            @Nullable Reduction reduction) {
        this.topology = topology;
        this.layout = layout;
        this.costs = costs;
        this.corruptChance = corruptChance;
        this.random = random;
        this.invariants = invariants;
        this.tally = tally;
        this.reduction = reduction;
    }

    /** Sets who is told of the progress of nodes. */
    void setRescue(Rescue newRescue) {
        rescue = newRescue;
    }

    PieceInvariants invariants() {
        return invariants;
    }

    NodeCosts costs() {
        return costs;
    }

    double receiptNanos(int piece) {
        return costs.messageNanos() + costs.receivedByteNanos() * layout.lengthBytes(piece);
    }

    double sendingNanos(int piece) {
        return costs.sentByteNanos() * layout.lengthBytes(piece);
    }

    double combiningNanos(Product product) {
        return costs.messageNanos() + costs.combiningNanos(product.inputs().length(), layout.pieceBytes());
    }

    /** What a node combines; empty if this is no reduction. */
    ImmutableList<Product> productsOf(int rank) {
        return reduction == null ? ImmutableList.of() : reduction.plan.productsOf(rank);
    }

    /** Draws whether a piece that just arrived is corrupt. */
    boolean isCorrupt() {
        return corruptChance > 0 && random.nextDouble() < corruptChance;
    }

    void pieceArrived(Connection connection, int piece) {
        tally.pieceReceived(connection, piece);
    }

    void sent(SimulatedNode from, int toRank, Message message) {
        invariants.sent(from.rank(), toRank, message);
    }

    void pieceSent(SimulatedNode from, int toRank, int piece) {
        invariants.pieceSent(from.rank(), toRank, piece);
    }

    void handling(SimulatedNode node, Event event) {
        if (event instanceof Event.Received received) {
            invariants.received(node.rank(), received.fromRank(), received.message());
        } else if (event instanceof Event.PieceStored stored) {
            invariants.pieceStored(node.rank(), stored.fromRank(), stored.piece());
            if (reduction != null) {
                reduction.contents.stored(node.rank(), stored.fromRank(), stored.piece());
            }
            if (rescue != null) {
                rescue.progressed(node.rank());
            }
        }
    }

    void producing(SimulatedNode node, Product product) {
        invariants.pieceProduced(node.rank(), product);
        if (reduction != null) {
            reduction.contents.produced(node.rank(), product);
        }
        if (rescue != null) {
            rescue.progressed(node.rank());
        }
    }

    void completed(SimulatedNode node, long nowNanos) {
        invariants.completed(node.rank());
        if (reduction != null) {
            reduction.contents.completed(node.rank(), reduction.resultRanks.applyAsInt(node.rank()));
        }
        tally.completed(node.rank(), nowNanos);
        if (rescue != null) {
            rescue.completed(node.rank());
        }
    }

    void starved(SimulatedNode node, PieceSet pieces) {
        if (rescue != null) {
            rescue.starved(node.rank(), pieces);
        }
    }

    void incomplete(SimulatedNode node, PieceSet pieces) {
        invariants.givenUp(node.rank(), pieces);
        tally.endedIncomplete(node.rank(), pieces);
    }

    void finished(SimulatedNode node) {
        tally.finished(node.rank());
    }

    /** An exception that names the node and the time. */
    RuntimeException failure(SimulatedNode node, RuntimeException cause, long nowNanos) {
        String where = topology.nodeName(node.rank()) + " (rank " + node.rank() + ") at " + nowNanos + " ns: ";
        return cause instanceof InvariantViolationException
                ? new InvariantViolationException(where + cause.getMessage())
                : new IllegalStateException(where + cause, cause);
    }
}
