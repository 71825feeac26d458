package org.robber.core.node;

import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** One node of any strategy whose peers are played by the test, in words: see {@link Words}. */
public final class Puppeteer {
    private final MulticastNode node;
    private final int pieceCount;
    private long nowNanos;

    public Puppeteer(MulticastNode node, int pieceCount) {
        this.node = node;
        this.pieceCount = pieceCount;
    }

    /** What a node of this rank is told that is connected to everybody; rank 0 is the root. */
    public static NodeSetup connectedToAll(
            int rank, Topology topology, int pieceCount, int requestWindow, int pieceBytes) {
        Overlay.Builder overlay = Overlay.builder(topology);
        for (int peer = 0; peer < topology.size(); peer++) {
            if (peer != rank) {
                overlay.connect(rank, peer);
            }
        }
        PieceSet possession = rank == 0 ? PieceSet.full(pieceCount) : PieceSet.empty(pieceCount);
        return new NodeSetup(rank, topology, overlay.build(), 0, possession, 1, requestWindow, pieceBytes);
    }

    public MulticastNode node() {
        return node;
    }

    public List<String> start() {
        return words(node.start(nowNanos));
    }

    /** Starts the node and makes all these peers ready. */
    public Puppeteer startWith(int... peers) {
        start();
        for (int peer : peers) {
            ready(peer);
        }
        return this;
    }

    /** What comes is this much later. */
    public Puppeteer later(long nanos) {
        nowNanos += nanos;
        return this;
    }

    public List<String> ready(int peer) {
        return handle(new Event.PeerReady(peer));
    }

    public List<String> receive(int fromRank, String message) {
        return handle(new Event.Received(fromRank, Words.message(message, pieceCount)));
    }

    public List<String> store(int fromRank, int piece) {
        return handle(new Event.PieceStored(fromRank, piece));
    }

    public List<String> corrupt(int fromRank, int piece) {
        return handle(new Event.PieceCorrupt(fromRank, piece));
    }

    public List<String> lose(int peer) {
        return handle(new Event.PeerLost(peer));
    }

    public List<String> fire(TimerKey key) {
        return handle(new Event.TimerFired(key));
    }

    private List<String> handle(Event event) {
        return words(node.handle(nowNanos, event));
    }

    private static List<String> words(List<Action> actions) {
        return actions.stream().map(Words::of).toList();
    }
}
