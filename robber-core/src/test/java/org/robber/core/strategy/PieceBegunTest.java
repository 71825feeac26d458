package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** What a sender says of the requests that wait there, as a piece begins to come, decides how many are made of it. */
class PieceBegunTest {
    private static final int PIECES = 2_000;
    private static final long PIECE_NANOS = 20_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob"})
    void moreIsAskedForAsLongAsNoRequestWaits(String strategy) {
        assertThat(requestsOutstanding(strategy, requests -> 0)).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob"})
    void littleIsAskedForWhereAllRequestsWait(String strategy) {
        assertThat(requestsOutstanding(strategy, requests -> requests - 1)).isLessThanOrEqualTo(3);
    }

    /**
     * How many requests one node has made of one in another cluster after a while, in which a piece came every 20 ms.
     *
     * @param waiting of how many requests outstanding how many wait at the other node
     */
    private static int requestsOutstanding(String name, IntUnaryOperator waiting) {
        MulticastStrategy strategy = Strategies.byName(name);
        Topology topology = Topology.ofSizes(1, 1);
        Overlay overlay = strategy.planOverlay(topology, 1);
        MulticastNode node =
                strategy.createNode(new NodeSetup(1, topology, overlay, 0, PieceSet.empty(PIECES), 1, 5, 64 * 1024));
        Queue<Integer> requests = new ArrayDeque<>();
        note(node.start(0), requests);
        note(node.handle(0, new Event.PeerReady(0)), requests);
        note(node.handle(0, new Event.Received(0, new Message.Bitfield(PieceSet.full(PIECES)))), requests);
        for (int i = 1; i <= 200; i++) {
            long nowNanos = i * PIECE_NANOS;
            int waits = waiting.applyAsInt(requests.size());
            int piece = requests.remove();
            note(node.handle(nowNanos, new Event.PieceBegun(0, piece, waits)), requests);
            note(node.handle(nowNanos, new Event.PieceStored(0, piece)), requests);
        }
        return requests.size();
    }

    private static void note(List<Action> actions, Queue<Integer> requests) {
        for (Action action : actions) {
            if (action instanceof Action.Send send && send.message() instanceof Message.Request request) {
                requests.add(request.piece());
            }
        }
    }
}
