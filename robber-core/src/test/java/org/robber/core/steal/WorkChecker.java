package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/**
 * What holds after every step of every node: each piece that a cluster lacks is the work of exactly one place, namely a
 * member's own work, pending at a member, or on its way from victim to thief; and no window holds too many requests.
 */
public final class WorkChecker implements InCoreNetwork.Checker {
    private final List<StealingNode> nodes;
    private final int requestWindow;
    private final StealingVariant variant;

    WorkChecker(List<StealingNode> nodes, int requestWindow, StealingVariant variant) {
        this.nodes = nodes;
        this.requestWindow = requestWindow;
        this.variant = variant;
    }

    @Override
    public void afterStep(InCoreNetwork network, int rank) {
        Topology topology = network.topology();
        if (!topology.sameCluster(rank, 0)) {
            workIsConserved(network, topology.clusterOf(rank));
        }
        windowsAgreeWithLedger(nodes.get(rank));
        for (Peer peer : nodes.get(rank).parts().peers().all()) {
            assertThat(peer.requests().size()).as("requests outstanding").isLessThanOrEqualTo(limit());
        }
    }

    private int limit() {
        return variant == StealingVariant.PUBLISHED ? requestWindow : Tuning.LARGEST_REQUEST_WINDOW;
    }

    /** Each pending piece is asked of exactly one peer, unless it came unasked from another one meanwhile. */
    public static void windowsAgreeWithLedger(StealingNode node) {
        PieceLedger ledger = node.parts().ledger();
        PieceSet pending = ledger.possession().lacked().andNot(ledger.unasked());
        int outstanding = 0;
        for (Peer peer : node.parts().peers().all()) {
            for (int piece = pending.first(); piece >= 0; piece = pending.nextFrom(piece + 1)) {
                outstanding += peer.requests().contains(piece) ? 1 : 0;
            }
        }
        assertThat(outstanding).as("pending pieces asked of one peer each").isEqualTo(pending.size());
        assertThat(ledger.unasked().countCommon(ledger.ownWork()))
                .as("own work that is unasked")
                .isEqualTo(ledger.ownWork().size());
    }

    private void workIsConserved(InCoreNetwork network, int cluster) {
        Topology topology = network.topology();
        int pieceCount = nodes.get(0).parts().ledger().pieceCount();
        PieceSet possessed = PieceSet.empty(pieceCount);
        for (int index = 0; index < topology.clusterSize(cluster); index++) {
            possessed.addAll(nodes.get(topology.member(cluster, index)).possession());
        }
        PieceSet work = PieceSet.empty(pieceCount);
        int total = 0;
        for (int index = 0; index < topology.clusterSize(cluster); index++) {
            PieceLedger ledger =
                    nodes.get(topology.member(cluster, index)).parts().ledger();
            total += add(work, ledger.ownWork().andNot(possessed));
            total += add(work, ledger.pendingWork().andNot(possessed));
        }
        for (PieceSet given : network.workInFlight(cluster)) {
            total += add(work, given.andNot(possessed));
        }
        assertThat(total).as("no piece is the work of two").isEqualTo(work.size());
        assertThat(work.size() + possessed.size()).as("no work was lost").isEqualTo(pieceCount);
    }

    private static int add(PieceSet sum, PieceSet part) {
        sum.addAll(part);
        return part.size();
    }
}
