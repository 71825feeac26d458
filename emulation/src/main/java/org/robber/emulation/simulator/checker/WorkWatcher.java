package org.robber.emulation.simulator.checker;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;

/**
 * Work is conserved, as far as messages show it. Each piece that a cluster lacks is the work of one member, or on its way
 * from a victim to a thief:
 *
 * <ul>
 *   <li>a victim gives away nothing but its own work;
 *   <li>a node requests of other clusters nothing but its own work;
 *   <li>what a node desires of other clusters is its own work, and leaves out of that only what it has asked for and what
 *       its cluster has already.
 * </ul>
 */
public final class WorkWatcher implements Watcher {
    private final Topology topology;
    private final PieceWatcher pieces;

    /** What each node has to bring into its cluster, done or not. */
    private final List<PieceSet> work = new ArrayList<>();

    /** What each node has asked other clusters for. */
    private final List<PieceSet> asked = new ArrayList<>();

    /** Watches nodes that begin with what their setups say, and divide their work in this way. */
    public WorkWatcher(Topology topology, List<NodeSetup> setups, WorkDivision division, PieceWatcher pieces) {
        this.topology = topology;
        this.pieces = pieces;
        for (NodeSetup setup : setups) {
            int pieceCount = setup.pieceCount();
            work.add(division.shareOf(setup.rank(), setup.rootRank(), topology, pieceCount));
            asked.add(PieceSet.empty(pieceCount));
        }
    }

    @Override
    public void sent(int fromRank, int toRank, Message message) {
        switch (message.type()) {
            case WORK -> {
                PieceSet loot = ((Message.Work) message).pieces();
                demand(contains(work.get(fromRank), loot), "gives away work that is not its own");
                work.get(fromRank).removeAll(loot);
            }
            case REQUEST -> {
                if (!topology.sameCluster(fromRank, toRank)) {
                    int piece = ((Message.Request) message).piece();
                    demand(work.get(fromRank).contains(piece), "steals a piece that is not its work");
                    asked.get(fromRank).add(piece);
                }
            }
            case DESIRE -> {
                if (!topology.sameCluster(fromRank, toRank)) {
                    desireCoversWork(fromRank, ((Message.Desire) message).pieces());
                }
            }
            default -> {
                // Says nothing of work.
            }
        }
    }

    private void desireCoversWork(int rank, PieceSet desire) {
        demand(contains(work.get(rank), desire), "desires of another cluster what is not its work");
        PieceSet forgotten = work.get(rank).andNot(desire);
        forgotten.removeAll(asked.get(rank));
        forgotten.removeAll(pieces.possessionOfCluster(topology.clusterOf(rank)));
        if (!forgotten.isEmpty()) {
            throw new BrokenPromiseException("has forgotten its work on piece " + forgotten.first());
        }
    }

    @Override
    public void received(int rank, int fromRank, Message message) {
        switch (message.type()) {
            case WORK -> work.get(rank).addAll(((Message.Work) message).pieces());
            case REJECT -> asked.get(rank).remove(((Message.Reject) message).piece());
            default -> {
                // Says nothing of work.
            }
        }
    }

    private static boolean contains(PieceSet larger, PieceSet smaller) {
        return larger.countCommon(smaller) == smaller.size();
    }

    private static void demand(boolean condition, String what) {
        if (!condition) {
            throw new BrokenPromiseException(what);
        }
    }
}
