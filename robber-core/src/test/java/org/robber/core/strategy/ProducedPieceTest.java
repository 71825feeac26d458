package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A piece that a driver made is announced and counts as possessed. */
class ProducedPieceTest {
    private static final Topology TOPOLOGY = Topology.ofSizes(2);

    /** A sum of two nodes and two chunks: pieces 0 and 1 from rank 0, 2 and 3 from rank 1, results 4 and 5. */
    private static final ReductionPlan PLAN = ReductionPlan.allReduce(TOPOLOGY, 2, true);

    private static MulticastNode rank0(String strategy) {
        int pieces = PLAN.placement().pieceCount();
        return Strategies.byName(strategy)
                .createNode(new NodeSetup(
                        0,
                        TOPOLOGY,
                        Overlay.complete(TOPOLOGY),
                        PLAN.placement(),
                        PLAN.placement().possessedBy(0),
                        1,
                        NodeSetup.PUBLISHED_REQUEST_WINDOW,
                        10,
                        pieces * 10L,
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "robber:published", "mob:published"})
    void aProductIsAnnouncedAndCompletesTheNode(String strategy) {
        MulticastNode node = rank0(strategy);
        assertThat(node.start(0)).as("it lacks its product").doesNotContain(new Action.Completed());
        node.handle(1, new Event.PeerReady(1));
        PieceSet desire = PieceSet.range(6, 4, 5);
        desire.add(1);
        node.handle(2, new Event.Received(1, new Message.Desire(desire)));
        node.handle(3, new Event.Received(1, new Message.Bitfield(PieceSet.range(6, 2, 3))));
        node.handle(4, new Event.PieceStored(1, 2));

        assertThat(node.handle(5, new Event.PieceProduced(4))).contains(new Action.Send(1, new Message.Have(4)));
        assertThat(node.possession().contains(4)).isTrue();
        assertThat(node.handle(6, new Event.PieceProduced(4))).as("told twice").isEmpty();

        node.handle(7, new Event.Received(1, new Message.Have(5)));
        assertThat(node.handle(8, new Event.PieceStored(1, 5))).contains(new Action.Completed());
    }

    @Test
    void bitTorrentAnnouncesItToAll() {
        MulticastNode node = rank0("bittorrent");
        node.start(0);
        node.handle(1, new Event.PeerReady(1));
        node.handle(2, new Event.Received(1, new Message.Bitfield(PieceSet.range(6, 2, 3))));
        assertThat(node.handle(3, new Event.PieceProduced(4))).contains(new Action.Send(1, new Message.Have(4)));
    }

    @Test
    void aPlannedTreeCannotProduce() {
        NodeSetup setup = new NodeSetup(0, TOPOLOGY, Overlay.complete(TOPOLOGY), 0, PieceSet.full(6), 1, 5, 10);
        MulticastNode node = Strategies.byName("chain").createNode(setup);
        List<Action> started = node.start(0);
        assertThat(started).contains(new Action.Completed());
        assertThatThrownBy(() -> node.handle(1, new Event.PieceProduced(4)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this strategy cannot produce piece 4");
    }
}
