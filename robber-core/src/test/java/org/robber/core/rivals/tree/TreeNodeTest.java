package org.robber.core.rivals.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.robber.core.Memory;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Puppeteer;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.NodeTrees;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** One node, whose peers the test plays. */
class TreeNodeTest {
    private static final int PIECE_BYTES = 1000;
    private static final Topology FOUR = Topology.ofSizes(4);

    @Test
    void aNodeAsksItsParentForEverythingInOrderAndNobodyElse() {
        Puppeteer node = chainNode(2, 4);
        assertThat(node.startWith(0).ready(1))
                .containsExactly("1: request 0", "1: request 1", "1: request 2", "1: request 3");
    }

    @Test
    void whatIsAskedForBeforeItIsHereIsSentAsSoonAsItIs() {
        Puppeteer node = chainNode(1, 3).startWith(0, 2);
        assertThat(node.receive(2, "request 0")).isEmpty();
        assertThat(node.store(0, 0)).containsExactly("2: piece 0");
        assertThat(node.receive(2, "request 1")).isEmpty();
        assertThat(node.store(0, 2)).isEmpty();
        assertThat(node.store(0, 1)).contains("2: piece 1", "completed");
        assertThat(node.receive(2, "request 2")).containsExactly("2: piece 2");
    }

    @Test
    void aNodeTakesNoMemoryForThoseThatAreNoPeers() {
        Topology topology = Topology.ofSizes(Topology.MAX_NODES);
        Forest forest = Forest.of(NodeTrees.star(topology));
        Overlay overlay = Overlay.builder(topology).connect(0, 1).build();
        overlay.peers(1);
        NodeSetup setup = new NodeSetup(1, topology, overlay, 0, PieceSet.empty(8), 1, 5, PIECE_BYTES);
        long before = Memory.allocatedBytes();
        MulticastNode node = treeNode(setup, forest);
        assertThat(Memory.allocatedBytes() - before).isLessThan(Topology.MAX_NODES);
        assertThat(node.start(0)).isEmpty();
    }

    @Test
    void windowsOfManyStripesAreQuick() {
        int stripes = 300_000;
        Forest forest = new Forest(ImmutableList.copyOf(Collections.nCopies(
                stripes, new Stripe(new int[] {Stripe.NONE, 0}, 1, 0))));
        CallRoutes routes = CallRoutes.ofMulticast(forest, 2 * stripes);
        int[] windows = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> StripeWindows.of(routes, 1));
        assertThat(windows).containsOnly(StripeWindows.LARGEST);
    }

    @Test
    void aPlanIsMadeOnceForEachTopologyAndRoot() {
        PlanCache<Topology> cache = new PlanCache<>();
        Topology first = Topology.ofSizes(2);
        Topology second = Topology.ofSizes(2);
        Forest ofFirst = cache.get(first, 0, () -> Forest.of(NodeTrees.star(first)));
        Forest ofSecond = cache.get(second, 0, () -> Forest.of(NodeTrees.star(second)));
        Forest ofOtherRoot = cache.get(first, 1, () -> ofFirst.rootedAt(1));
        Supplier<Forest> again = () -> {
            throw new AssertionError("planned again");
        };
        assertThat(cache.get(first, 0, again)).isSameAs(ofFirst);
        assertThat(cache.get(second, 0, again)).isSameAs(ofSecond);
        assertThat(cache.get(first, 1, again)).isSameAs(ofOtherRoot);
    }

    @Test
    void aTreeIsTurnedOnceForEachOwner() {
        Topology topology = Topology.ofSizes(200);
        SingleTreeStrategy strategy = new BinomialStrategy();
        CallRoutes first = strategy.routes(setupOfAllGather(topology));
        CallRoutes second = strategy.routes(setupOfAllGather(topology));
        assertThat(second).isNotSameAs(first);
        assertThat(second.trees()).hasSize(200).isEqualTo(first.trees());
    }

    private static NodeSetup setupOfAllGather(Topology topology) {
        int nodes = topology.size();
        DataPlacement placement =
                DataPlacement.striped(IntStream.range(0, nodes).boxed().toList(), nodes);
        return new NodeSetup(
                0,
                topology,
                Overlay.complete(topology),
                placement,
                placement.possessedBy(0),
                /* seed= */ 1,
                /* requestWindow= */ 5,
                PIECE_BYTES,
                (long) nodes * PIECE_BYTES,
                /* late= */ false);
    }

    @Test
    void childrenWithTheLargestSubtreesComeFirst() {
        Forest forest = Forest.of(NodeTrees.binomial(Topology.ofSizes(8)));
        NodeSetup setup = Puppeteer.connectedToAll(4, Topology.ofSizes(8), 2, 5, PIECE_BYTES);
        Puppeteer node = new Puppeteer(treeNode(setup, forest), 2).startWith(0, 5, 6);
        node.receive(5, "request 0");
        node.receive(6, "request 0");
        assertThat(node.store(0, 0)).containsExactly("6: piece 0", "5: piece 0");
    }

    @Test
    void atMostAWindowIsAskedForAtATime() {
        Puppeteer node = chainNode(1, 1000);
        assertThat(node.startWith().ready(0)).hasSize(StripeWindows.LARGEST);
        assertThat(node.store(0, 0)).containsExactly("0: request " + StripeWindows.LARGEST);
    }

    @Test
    void stripesOfOneParentAreAskedForInProportion() {
        Forest forest =
                new Forest(ImmutableList.of(new Stripe(new int[] {-1, 0}, 3, 0), new Stripe(new int[] {-1, 0}, 1, 0)));
        NodeSetup setup = Puppeteer.connectedToAll(1, Topology.ofSizes(2), 8, 5, PIECE_BYTES);
        List<String> requests =
                new Puppeteer(treeNode(setup, forest), 8).startWith().ready(0);
        assertThat(requests.subList(0, 4))
                .containsExactlyInAnyOrder("0: request 0", "0: request 6", "0: request 1", "0: request 2");
    }

    @Test
    void asManyAreAskedForAtATimeAsIsInProportionToTheStripe() {
        Forest forest = new Forest(ImmutableList.of(
                new Stripe(new int[] {-1, 0}, 3, 0),
                new Stripe(new int[] {-1, 0}, 1, 0),
                new Stripe(new int[] {-1, 0}, 0.001, 0)));

        assertThat(StripeWindows.of(CallRoutes.ofMulticast(forest, 4000), 1))
                .containsExactly(StripeWindows.LARGEST, Math.round(StripeWindows.LARGEST / 3f), 4);
    }

    @Test
    void whenTheParentDiesTheGrandparentIsAsked() {
        Puppeteer node = chainNode(2, 3).startWith(0, 1);
        node.store(1, 0);
        assertThat(node.lose(1)).containsExactly("0: request 1", "0: request 2");
        assertThat(node.lose(0)).as("waits for one to come back").containsExactly("no_progress at 10000000000");
    }

    @Test
    void anAncestorThatIsLostTwiceIsWaitedForTwice() {
        Puppeteer node = chainNode(1, 3).startWith(0);
        assertThat(node.lose(0)).containsExactly("no_progress at 10000000000");
        assertThat(node.later(400_000_000).ready(0)).hasSize(3);
        assertThat(node.later(9_500_000_000L).lose(0)).isEmpty();
        assertThat(node.later(100_000_000).fire(TimerKey.NO_PROGRESS)).containsExactly("no_progress at 19900000000");
        assertThat(node.later(9_900_000_000L).fire(TimerKey.NO_PROGRESS)).contains("incomplete");
    }

    @Test
    void theLossOfTheGrandparentChangesNothingForWhatTheParentWasAsked() {
        Puppeteer node = chainNode(2, 3).startWith(0, 1);
        assertThat(node.lose(0)).isEmpty();
        assertThat(node.store(1, 0)).isEmpty();
    }

    @Test
    void aParentThatCameBackIsNotAskedForWhatTheGrandparentStillOwes() {
        Puppeteer node = chainNode(2, 2).startWith(0, 1);
        node.lose(1);
        assertThat(node.ready(1)).isEmpty();
        assertThat(node.receive(0, "reject 0")).containsExactly("1: request 0");
        assertThat(node.lose(0)).containsExactly("1: request 1");
    }

    @Test
    void aGrandparentThatIsNotReadyYetIsAskedWhenItIs() {
        Puppeteer node = chainNode(2, 2).startWith(1);
        assertThat(node.lose(1)).isEmpty();
        assertThat(node.ready(0)).containsExactly("0: request 0", "0: request 1");
    }

    @Test
    void anAncestorServesWhoeverAsks() {
        Puppeteer node = chainNode(1, 1).startWith(0, 3);
        assertThat(node.receive(3, "request 0")).isEmpty();
        assertThat(node.store(0, 0)).contains("3: piece 0");
    }

    @Test
    void aRefusedOrDamagedPieceIsAskedAgain() {
        Puppeteer node = chainNode(1, 2).startWith(0);
        assertThat(node.receive(0, "reject 1")).containsExactly("0: request 1");
        assertThat(node.corrupt(0, 0)).containsExactly("0: request 0");
    }

    @Test
    void aParentThatSendsTooMuchDamageIsLeft() {
        Puppeteer node = chainNode(2, 1).startWith(0, 1);
        node.corrupt(1, 0);
        node.corrupt(1, 0);
        assertThat(node.corrupt(1, 0)).contains("disconnect 1: too many corrupt pieces", "0: request 0");
    }

    @Test
    void whatLeavesTheClusterOfTheRootLeavesAtItsTimeWhateverCameBefore() {
        // One piece of 1,000 bytes every 0.1 s.
        Puppeteer root = pacedRoot(10_000);
        assertThat(root.receive(2, "request 0")).containsExactly("2: piece 0");
        assertThat(root.receive(2, "request 1")).containsExactly("send_due at 100000000");
        assertThat(root.receive(2, "request 2")).isEmpty();
        assertThat(root.later(100_000_000).fire(TimerKey.SEND_DUE))
                .containsExactly("2: piece 1", "send_due at 200000000");
        // The timer comes late, and the pieces after it are in time again.
        assertThat(root.later(130_000_000).fire(TimerKey.SEND_DUE)).containsExactly("2: piece 2");
        assertThat(root.receive(2, "request 3")).containsExactly("send_due at 300000000");
    }

    @Test
    void insideTheClusterOfTheRootNothingIsPaced() {
        Puppeteer root = pacedRoot(10_000);
        for (int piece = 0; piece < 10; piece++) {
            assertThat(root.receive(1, "request " + piece)).containsExactly("1: piece " + piece);
        }
    }

    @Test
    void elsewhereNothingIsPaced() {
        Topology topology = Topology.ofSizes(1, 1, 1);
        Forest forest = new Forest(ImmutableList.of(new Stripe(new int[] {-1, 0, 1}, 1, 10_000)));
        NodeSetup setup = Puppeteer.connectedToAll(1, topology, 5, 5, PIECE_BYTES);
        Puppeteer node = new Puppeteer(treeNode(setup, forest), 5).startWith(0, 2);
        IntStream.range(0, 5).forEach(piece -> node.receive(2, "request " + piece));
        IntStream.range(0, 5).forEach(piece -> assertThat(node.store(0, piece)).contains("2: piece " + piece));
    }

    @Test
    void whatIsCancelledWhileItWaitsForItsTimeDoesNotLeave() {
        Puppeteer root = pacedRoot(10_000);
        root.receive(2, "request 0");
        root.receive(2, "request 1");
        root.receive(2, "request 2");
        assertThat(root.receive(2, "cancel 1")).containsExactly("2: take back piece 1");
        assertThat(root.later(100_000_000).fire(TimerKey.SEND_DUE)).containsExactly("2: piece 2");
    }

    /** Ranks 0 and 1 are the root's cluster; 2 is the other one. */
    private static Puppeteer pacedRoot(double bytesPerSecond) {
        Topology topology = Topology.ofSizes(2, 1);
        Forest forest = new Forest(ImmutableList.of(new Stripe(new int[] {-1, 0, 0}, 1, bytesPerSecond)));
        NodeSetup setup = Puppeteer.connectedToAll(0, topology, 10, 5, PIECE_BYTES);
        return new Puppeteer(treeNode(setup, forest), 10).startWith(1, 2);
    }

    private static MulticastNode treeNode(NodeSetup setup, Forest forest) {
        return new TreeNode(setup, CallRoutes.ofMulticast(forest, setup.pieceCount()));
    }

    private static Puppeteer chainNode(int rank, int pieces) {
        NodeSetup setup = Puppeteer.connectedToAll(rank, FOUR, pieces, 5, PIECE_BYTES);
        return new Puppeteer(treeNode(setup, Forest.of(NodeTrees.chain(FOUR))), pieces);
    }
}
