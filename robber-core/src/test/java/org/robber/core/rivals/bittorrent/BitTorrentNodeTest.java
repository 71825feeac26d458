package org.robber.core.rivals.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Event;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Puppeteer;
import org.robber.core.node.Words;
import org.robber.core.piece.PieceSet;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** One node, whose peers the test plays. */
class BitTorrentNodeTest {
    private static final Topology THREE = Topology.ofSizes(3);

    /** Rank 0 has 9 pieces. Each rank wants three of them, in order. */
    private static final DataPlacement SCATTER = DataPlacement.scatter(0, List.of(0, 1, 2), 9);

    private static Puppeteer receiver() {
        NodeSetup setup = new NodeSetup(
                1,
                THREE,
                Overlay.complete(THREE),
                SCATTER,
                PieceSet.empty(9),
                1,
                NodeSetup.PUBLISHED_REQUEST_WINDOW,
                10,
                90,
                false);
        return new Puppeteer(Strategies.byName("bittorrent").createNode(setup), 9);
    }

    /** A peer keeps one of its few places for each node that is interested. */
    @Test
    void aPeerWithPiecesForOthersOnlyIsOfNoInterest() {
        Puppeteer node = receiver().startWith(0, 2);
        assertThat(node.receive(2, "bitfield 6-8")).isEmpty();
        assertThat(node.receive(0, "bitfield 0-8")).containsExactly("0: interested");
        node.receive(0, "unchoke");
        node.store(0, 3);
        node.store(0, 4);
        assertThat(node.store(0, 5)).contains("0: not-interested", "completed");
    }

    @Test
    void piecesThatAreGivenUpAreOfNoInterest() {
        Puppeteer node = receiver().startWith(0, 2);
        assertThat(node.receive(2, "bitfield 3")).containsExactly("2: interested");
        assertThat(node.node().handle(1, new Event.GivenUp(PieceSet.range(9, 3, 6))))
                .extracting(Words::of)
                .containsExactly("2: not-interested", "incomplete", "0: done", "2: done");
    }
}
