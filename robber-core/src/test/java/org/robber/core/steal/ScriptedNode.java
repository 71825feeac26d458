package org.robber.core.steal;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.node.Words;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** One node whose peers are played by the test, in words: see {@link Words}. */
final class ScriptedNode {
    private final StealingNode node;
    private final int pieceCount;
    private long nowNanos;

    private ScriptedNode(StealingNode node, int pieceCount) {
        this.node = node;
        this.pieceCount = pieceCount;
    }

    static ScriptedNode of(StealingNode node) {
        return new ScriptedNode(node, node.parts().ledger().pieceCount());
    }

    /**
     * The node of this rank, which is connected to everybody; rank 0 is the root, other nodes possess nothing.
     *
     * @param clusterSizes the clusters, ranks in order
     */
    static ScriptedNode connectedToAll(int rank, int pieceCount, int requestWindow, int... clusterSizes) {
        return connectedToAll(StealingVariant.PUBLISHED, rank, pieceCount, requestWindow, clusterSizes);
    }

    /** The same in that variant. */
    static ScriptedNode connectedToAll(
            StealingVariant variant, int rank, int pieceCount, int requestWindow, int... clusterSizes) {
        PieceSet possession = rank == 0 ? PieceSet.full(pieceCount) : PieceSet.empty(pieceCount);
        return connectedToAll(variant, rank, possession, requestWindow, clusterSizes);
    }

    /** The same with pieces of an earlier run. */
    static ScriptedNode connectedToAll(
            StealingVariant variant, int rank, PieceSet possession, int requestWindow, int... clusterSizes) {
        Topology topology = Topology.ofSizes(clusterSizes);
        Overlay.Builder overlay = Overlay.builder(topology);
        for (int one = 0; one < topology.size(); one++) {
            for (int other = one + 1; other < topology.size(); other++) {
                overlay.connect(one, other);
            }
        }
        return of(StealingNode.ofRobber(
                new NodeSetup(rank, topology, overlay.build(), 0, possession, 1, requestWindow, 1), variant));
    }

    /** It is so late from now on; 0 at first. */
    ScriptedNode at(long nanos) {
        nowNanos = nanos;
        return this;
    }

    StealingNode node() {
        return node;
    }

    List<String> start() {
        return words(node.start(nowNanos));
    }

    List<String> ready(int peer) {
        return words(node.handle(nowNanos, new Event.PeerReady(peer)));
    }

    /** Starts the node and makes all these peers ready. */
    ScriptedNode startWith(int... peers) {
        start();
        for (int peer : peers) {
            ready(peer);
        }
        return this;
    }

    List<String> receive(int fromRank, String message) {
        return words(node.handle(nowNanos, new Event.Received(fromRank, Words.message(message, pieceCount))));
    }

    List<String> store(int fromRank, int piece) {
        return words(node.handle(nowNanos, new Event.PieceStored(fromRank, piece)));
    }

    List<String> corrupt(int fromRank, int piece) {
        return words(node.handle(nowNanos, new Event.PieceCorrupt(fromRank, piece)));
    }

    List<String> stall(int peer) {
        return words(node.handle(nowNanos, new Event.PeerStalled(peer)));
    }

    List<String> revive(int peer) {
        return words(node.handle(nowNanos, new Event.PeerRevived(peer)));
    }

    List<String> lose(int peer) {
        return words(node.handle(nowNanos, new Event.PeerLost(peer)));
    }

    /** Its connection ends, and then it is known to be dead. */
    List<String> die(int rank) {
        return ImmutableList.<String>builder()
                .addAll(lose(rank))
                .addAll(words(node.handle(nowNanos, new Event.NodeLost(rank))))
                .build();
    }

    List<String> fire(TimerKey key) {
        return words(node.handle(nowNanos, new Event.TimerFired(key)));
    }

    String ownWork() {
        return Words.of(node.parts().ledger().ownWork());
    }

    String possession() {
        return Words.of(node.possession());
    }

    private static List<String> words(List<Action> actions) {
        return actions.stream().map(Words::of).toList();
    }
}
