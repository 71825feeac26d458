package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A piece that a driver made is announced and counts as possessed. */
class ProducedPieceTest {
    private static final Topology TOPOLOGY = Topology.ofSizes(2);

    /** A sum of two nodes and two chunks: pieces 0 and 1 from rank 0, 2 and 3 from rank 1, results 4 and 5. */
    private static final ReductionPlan PLAN =
            ReductionPlanner.byClusters(TOPOLOGY).allReduce(2, true);

    private static MulticastNode rank0(String strategy) {
        return node(strategy, PLAN);
    }

    /** Rank 0. */
    private static MulticastNode node(String strategy, ReductionPlan plan) {
        int pieces = plan.placement().pieceCount();
        return Strategies.byName(strategy)
                .createNode(new NodeSetup(
                        0,
                        TOPOLOGY,
                        Overlay.complete(TOPOLOGY),
                        plan.placement(),
                        plan.placement().possessedBy(0),
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
    void aTreeSendsItToWhoHasRequestedIt() {
        ReductionPlan plan = Strategies.byName("chain").reductions(TOPOLOGY).allReduce(2, true);
        // The root has the result, pieces 4 and 5.
        MulticastNode node = node("chain", plan);
        node.start(0);
        assertThat(node.handle(1, new Event.PeerReady(1)))
                .contains(new Action.Send(1, new Message.Request(2)), new Action.Send(1, new Message.Request(3)));
        assertThat(node.handle(2, new Event.Received(1, new Message.Request(4))))
                .isEmpty();
        node.handle(3, new Event.PieceStored(1, 2));
        assertThat(node.handle(4, new Event.PieceProduced(4))).contains(new Action.SendPiece(1, 4));
        node.handle(5, new Event.PieceStored(1, 3));
        assertThat(node.handle(6, new Event.PieceProduced(5))).contains(new Action.Completed());
        assertThat(node.handle(7, new Event.PieceProduced(5))).as("told twice").isEmpty();
    }

    /** The owner of an input is dead: the product will not come, and who waits for it hears of it. */
    @Test
    void aTreeGivesUpAProductWhoseInputIsLost() {
        ReductionPlan plan = Strategies.byName("chain").reductions(TOPOLOGY).allReduce(2, true);
        MulticastNode node = node("chain", plan);
        node.start(0);
        node.handle(1, new Event.PeerReady(1));
        node.handle(2, new Event.PieceStored(1, 2));
        node.handle(3, new Event.PieceProduced(4));
        node.handle(4, new Event.PeerLost(1));
        PieceSet lost = PieceSet.range(6, 3, 4);
        lost.add(5);
        assertThat(node.handle(5, new Event.NodeLost(1))).contains(new Action.Incomplete(lost));
    }
}
