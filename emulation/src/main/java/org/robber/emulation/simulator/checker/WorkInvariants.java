package org.robber.emulation.simulator.checker;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.SetMultimap;
import com.google.common.collect.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;

/**
 * Also checks that work is conserved, as far as messages show it. Each piece that a cluster lacks is the work of one member, or on its
 * way from a victim to a thief:
 *
 * <ul>
 *   <li>a victim gives away only its own work; what it entrusts to a relay in another cluster remains its work, too, and is that of the relay
 *       until the node that entrusted it offers it or is done;
 *   <li>a node requests only its own work from other clusters;
 *   <li>what it desires from other clusters is all of its work. Pieces are left out that it has requested, that its cluster has, or that it was entrusted
 *       and has no memory for;
 *   <li>a node says nothing to a peer after it has said stop, and leaves no request to it unanswered.
 * </ul>
 */
public final class WorkInvariants extends PieceInvariants {
    private final Topology topology;

    /** Pieces that each node must bring into its cluster, whether done or not. */
    private final List<PieceSet> work = new ArrayList<>();

    /** Pieces that each node has requested from other clusters. */
    private final List<PieceSet> asked = new ArrayList<>();

    /** How many pieces each node may forget that it was entrusted from other clusters, for want of memory. Idle lines then bring them. */
    private final long[] mayForget;

    /** Pieces that a relay (the first rank) is to bring for a node (the second). */
    private final Table<Integer, Integer, PieceSet> entrusted = HashBasedTable.create();

    /** Pieces that a node (the first rank) has requested of another (the second), and that have not come. */
    private final Table<Integer, Integer, Set<Integer>> outstanding = HashBasedTable.create();

    /** To whom each node has said stop. */
    private final SetMultimap<Integer, Integer> stopped = HashMultimap.create();

    /** Checks nodes that begin with the pieces of their setups and divide their work in this way. */
    public WorkInvariants(Topology topology, List<NodeSetup> setups, StrategyLimits promises, WorkDivision division) {
        super(topology, setups, promises);
        this.topology = topology;
        this.mayForget = new long[topology.size()];
        for (NodeSetup setup : setups) {
            int pieceCount = setup.pieceCount();
            work.add(division.shareOf(setup.rank(), setup.placement(), topology));
            asked.add(PieceSet.empty(pieceCount));
            mayForget[setup.rank()] = -(long) setup.placement().mostRelayedPieces();
        }
    }

    @Override
    public void sent(int fromRank, int toRank, Message message) {
        if (stopped.containsEntry(fromRank, toRank)) {
            throw new InvariantViolationException("says " + message.type() + " to rank " + toRank + " after stop");
        }
        switch (message.type()) {
            case WORK -> {
                PieceSet stolenWork = ((Message.Work) message).pieces();
                demand(contains(work.get(fromRank), stolenWork), "gives away work that is not its own");
                if (topology.sameCluster(fromRank, toRank)) {
                    work.get(fromRank).removeAll(stolenWork);
                }
            }
            case REQUEST -> {
                int piece = ((Message.Request) message).piece();
                outstandingAt(fromRank, toRank).add(piece);
                if (!topology.sameCluster(fromRank, toRank)) {
                    demand(work.get(fromRank).contains(piece), "steals a piece that is not its work");
                    asked.get(fromRank).add(piece);
                }
            }
            case CANCEL -> outstandingAt(fromRank, toRank).remove(((Message.Cancel) message).piece());
            case STOP -> {
                demand(outstandingAt(fromRank, toRank).isEmpty(), "stops with requests outstanding at rank " + toRank);
                stopped.put(fromRank, toRank);
            }
            case DESIRE -> {
                if (!topology.sameCluster(fromRank, toRank)) {
                    desireCoversWork(fromRank, ((Message.Desire) message).pieces());
                }
            }
            default -> {
                // Does not concern work.
            }
        }
        super.sent(fromRank, toRank, message);
    }

    private void desireCoversWork(int rank, PieceSet desire) {
        demand(contains(work.get(rank), desire), "desires work of another node from another cluster");
        PieceSet forgotten = work.get(rank).andNot(desire);
        forgotten.removeAll(asked.get(rank));
        forgotten.removeAll(possessionOfCluster(topology.clusterOf(rank)));
        if (forgotten.isEmpty()) {
            return;
        }
        PieceSet ofOthers = PieceSet.empty(forgotten.capacity());
        entrusted.row(rank).values().forEach(ofOthers::addAll);
        ofOthers.retainAll(forgotten);
        if (ofOthers.size() <= mayForget[rank]) {
            forgotten.removeAll(ofOthers);
        }
        if (!forgotten.isEmpty()) {
            throw new InvariantViolationException("has forgotten its work on piece " + forgotten.first());
        }
    }

    @Override
    public void received(int rank, int fromRank, Message message) {
        switch (message.type()) {
            case WORK -> {
                PieceSet pieces = ((Message.Work) message).pieces();
                work.get(rank).addAll(pieces);
                mayForget[rank] += pieces.size();
                if (!topology.sameCluster(rank, fromRank)) {
                    entrusted.row(rank).merge(fromRank, pieces.copy(), (before, more) -> {
                        before.addAll(more);
                        return before;
                    });
                }
            }
            case HAVE -> {
                int piece = ((Message.Have) message).piece();
                offered(rank, fromRank, PieceSet.range(work.get(rank).capacity(), piece, piece + 1));
            }
            case BITFIELD -> offered(rank, fromRank, ((Message.Bitfield) message).pieces());
            case DONE -> {
                PieceSet brought = entrusted.remove(rank, fromRank);
                if (brought != null) {
                    work.get(rank).removeAll(brought);
                }
            }
            case REJECT -> {
                int piece = ((Message.Reject) message).piece();
                asked.get(rank).remove(piece);
                outstandingAt(rank, fromRank).remove(piece);
            }
            default -> {
                // Does not concern work.
            }
        }
    }

    @Override
    public void pieceStored(int rank, int fromRank, int piece) {
        outstandingAt(rank, fromRank).remove(piece);
        super.pieceStored(rank, fromRank, piece);
    }

    private Set<Integer> outstandingAt(int rank, int peer) {
        Set<Integer> pieces = outstanding.get(rank, peer);
        if (pieces == null) {
            pieces = new HashSet<>();
            outstanding.put(rank, peer, pieces);
        }
        return pieces;
    }

    private void offered(int rank, int fromRank, PieceSet pieces) {
        PieceSet brought = entrusted.get(rank, fromRank);
        if (brought != null) {
            work.get(rank).removeAll(brought.and(pieces));
        }
    }

    private static boolean contains(PieceSet larger, PieceSet smaller) {
        return larger.countCommon(smaller) == smaller.size();
    }
}
