package org.robber.emulation.simulator;

import java.util.List;
import java.util.function.BiFunction;
import org.robber.core.driver.SurvivorOverlay;
import org.robber.core.node.Event;
import org.robber.core.node.LostPieces;
import org.robber.core.node.MulticastNode;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.emulation.simulator.checker.PieceInvariants;

/**
 * The drivers' part after losses: new connections as {@link SurvivorOverlay} says, news of lost nodes, and of pieces that are gone
 * as {@link LostPieces} says. The transport runs the same two.
 */
final class Rescue {
    private final Topology topology;
    private final SurvivorOverlay overlay;
    private final List<SimulatedNode> nodes;
    private final LostPieces copies;
    private final PieceInvariants invariants;
    private final RunTally tally;
    private final LateConnections lateConnections;
    private final Newcomers newcomers;
    private final BiFunction<Integer, PieceSet, MulticastNode> lateNode;
    private final int pieceCount;
    private final PieceSet givenUp;

    /**
     * @param topology of all that were there from the start
     * @param placement of the call that runs
     * @param lateNode makes the machine of a node that comes back with some pieces
     */
    Rescue(
            Topology topology,
            Overlay planned,
            DataPlacement placement,
            List<SimulatedNode> nodes,
            PieceInvariants invariants,
            RunTally tally,
            LateConnections lateConnections,
            Newcomers newcomers,
            BiFunction<Integer, PieceSet, MulticastNode> lateNode) {
        this.topology = topology;
        this.overlay = new SurvivorOverlay(topology, planned);
        this.pieceCount = placement.pieceCount();
        this.givenUp = PieceSet.empty(placement.pieceCount());
        this.nodes = nodes;
        this.copies = new LostPieces(topology.size(), placement);
        this.invariants = invariants;
        this.tally = tally;
        this.lateConnections = lateConnections;
        this.newcomers = newcomers;
        this.lateNode = lateNode;
    }

    /** A node lacks these pieces and receives nothing. */
    void starved(int rank, PieceSet pieces) {
        if (isMember(rank)) {
            copies.starved(rank, pieces);
        }
    }

    /** A node got a piece. */
    void progressed(int rank) {
        if (isMember(rank)) {
            copies.progressed(rank);
        }
    }

    /** A node has everything. */
    void completed(int rank) {
        if (isMember(rank)) {
            copies.completed(rank);
        }
    }

    /** Whether it was there from the start. No member gets pieces from a joiner or waits for one. */
    private boolean isMember(int rank) {
        return rank < topology.size();
    }

    /** A node has died: no node will get pieces of it any more. */
    void died(int rank) {
        invariants.restarted(rank, PieceSet.empty(pieceCount));
    }

    /** All hear that a node is gone for good, and replace their connections to it. */
    void lose(int rank) {
        if (!isMember(rank)) {
            return;
        }
        overlay.lose(rank);
        copies.lost(rank);
        List<SimulatedNode> members = nodes.subList(0, topology.size());
        for (SimulatedNode node : members) {
            node.tell(new Event.NodeLost(rank));
        }
        newcomers.connectAll();
        for (SimulatedNode node : members) {
            for (int peer : overlay.current().peers(node.rank())) {
                if (SurvivorOverlay.dials(node.rank(), peer)) {
                    connect(peer, node.rank());
                }
            }
        }
    }

    /** Connects two nodes anew, if both live and are not connected. */
    void connect(int lowRank, int highRank) {
        SimulatedNode low = nodes.get(lowRank);
        SimulatedNode high = nodes.get(highRank);
        boolean bothLive = !low.isDead() && !high.isDead();
        if (bothLive && !(low.isConnectedTo(highRank) && high.isConnectedTo(lowRank))) {
            lateConnections.connect(low, high);
        }
    }

    /** A node that crashed comes back with some of its pieces, and is connected again. */
    void restart(int rank, PieceSet kept) {
        SimulatedNode node = nodes.get(rank);
        tally.restarted(rank);
        invariants.restarted(rank, kept);
        if (isMember(rank)) {
            // Before it starts: it may be complete at once.
            copies.returned(rank);
        }
        node.restart(lateNode.apply(rank, kept));
        newcomers.connectAll();
        if (!isMember(rank)) {
            return;
        }
        for (int other : overlay.lost()) {
            node.tell(new Event.NodeLost(other));
        }
        if (!givenUp.isEmpty()) {
            // decided while it was away: its view of them changes nothing
            node.tell(new Event.GivenUp(givenUp.copy()));
        }
        for (int peer : overlay.current().peers(rank)) {
            connect(Math.min(peer, rank), Math.max(peer, rank));
        }
    }

    /** Looks whether the last copy of something is gone; all hear of it. */
    void lookForGonePieces() {
        PieceSet gone = copies.lostEverywhere();
        if (!gone.isEmpty()) {
            givenUp.addAll(gone);
            for (SimulatedNode node : nodes) {
                node.tell(new Event.GivenUp(gone));
            }
        }
    }
}
