package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyOptions;
import org.robber.core.node.Words;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * Three clusters of one node each. Node 0 scatters 48 pieces: 16 to 31 go to node 1, 32 to 47 to node 2.
 */
class RelaysTest {
    private static final int PIECES = 48;

    private static NodeSetup setup(int rank, int mostRelayedPieces) {
        Topology topology = Topology.ofSizes(1, 1, 1);
        DataPlacement scatter = DataPlacement.scatter(0, List.of(0, 1, 2), PIECES);
        return new NodeSetup(
                rank,
                topology,
                Overlay.complete(topology),
                scatter.withRelays(mostRelayedPieces),
                scatter.possessedBy(rank),
                1,
                2,
                1,
                PIECES,
                false);
    }

    private static ScriptedNode node(int rank, int mostRelayedPieces, StealingVariant variant) {
        return ScriptedNode.of(StealingNode.ofRobber(setup(rank, mostRelayedPieces), variant));
    }

    private static ScriptedNode client() {
        return node(2, PIECES, StealingVariant.IMPROVED).startWith(0, 1);
    }

    @Test
    void anIdleLineGetsThePieceThatItsOwnerWouldSendLast() {
        ScriptedNode client = node(2, PIECES, StealingVariant.IMPROVED);
        client.start();
        assertThat(client.ready(0)).contains("0: request 32");
        client.ready(1);
        assertThat(client.receive(0, "bitfield 32-47")).contains("1: work 47");
        // One at a time, until one has come.
        assertThat(client.receive(1, "bitfield none")).doesNotContain("1: work 46");
    }

    @Test
    void directTransfersHaveNoRelays() {
        StrategyOptions direct = new StrategyOptions(ImmutableSortedSet.of("direct"), BandwidthMap.unknown());
        ScriptedNode client =
                ScriptedNode.of((StealingNode) new RobberStrategy().with(direct).createNode(setup(2, PIECES)));
        client.start();
        assertThat(client.ready(0)).contains("0: request 32");
        assertThat(client.ready(1)).noneMatch(word -> word.startsWith("1: work"));
        assertThat(client.receive(0, "bitfield 32-47")).noneMatch(word -> word.startsWith("1: work"));
    }

    @Test
    void whatARelayBringsIsRequestedOfTheRelayAndThenItMayBringMore() {
        ScriptedNode client = client();
        client.receive(0, "bitfield 32-47");
        assertThat(client.ownWork()).doesNotContain("47");
        assertThat(client.receive(1, "have 47")).containsExactly("1: request 47");
        assertThat(client.store(1, 47)).contains("1: work 46");
    }

    @Test
    void whatWasEntrustedToALostRelayIsFetchedDirectly() {
        ScriptedNode client = client();
        client.receive(0, "bitfield 32-47");
        client.lose(1);
        assertThat(client.ownWork()).contains("47");
    }

    @Test
    void anIdleLineFetchesWhatTheRelayHasNotBrought() {
        ScriptedNode client = client();
        client.receive(0, "bitfield 32-47");
        List<String> requests = new ArrayList<>();
        for (int piece = 32; piece < 47; piece++) {
            requests.addAll(client.store(0, piece));
        }
        assertThat(requests).endsWith("0: request 47");
    }

    /** A relay without memory never brings what it was entrusted, and says nothing. */
    @Test
    void aRevivedLineFetchesWhatTheRelayHasNotBrought() {
        ScriptedNode client = client();
        client.receive(0, "bitfield 32-47");
        for (int piece = 32; piece < 45; piece++) {
            client.store(0, piece);
        }
        assertThat(client.stall(0)).contains("0: cancel 45", "0: cancel 46");
        assertThat(client.receive(1, "have 45")).contains("1: request 45");
        assertThat(client.receive(1, "have 46")).contains("1: request 46");
        client.store(1, 45);
        client.store(1, 46);
        assertThat(client.possession()).isEqualTo("32-46");
        assertThat(client.revive(0)).contains("0: request 47");
    }

    @Test
    void aRelayFetchesAndAnnouncesWhatItWasEntrusted() {
        ScriptedNode relay = node(1, PIECES, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(2, "desire 32-47");
        assertThat(relay.receive(2, "work 46-47")).containsExactly("0: desire 18-31,46-47");
        relay.receive(0, "bitfield 46-47");
        assertThat(relay.store(0, 47)).contains("2: have 47");
        assertThat(relay.receive(2, "request 47")).containsExactly("2: piece 47");
    }

    @Test
    void aRelayBringsNoMoreThanItMayKeep() {
        ScriptedNode relay = node(1, 2, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(2, "desire 32-47");
        assertThat(relay.receive(2, "work 45-47")).containsExactly("0: desire 18-31,45-46");
        assertThat(relay.receive(2, "work 44")).isEmpty();
    }

    /** In a reduction, that node may have made a product of it, and not have it any more. */
    @Test
    void whatHasComeToItsNodeOtherwiseIsNotBrought() {
        ScriptedNode relay = node(1, 2, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(2, "work 46-47");
        assertThat(relay.receive(2, "bitfield 47")).noneMatch(word -> word.startsWith("2: request"));
        assertThat(relay.receive(2, "have 47")).noneMatch(word -> word.startsWith("2: request"));
        assertThat(Words.of(relay.node().parts().ledger().unaskedForOthers())).isEqualTo("46");
        assertThat(relay.receive(2, "work 44-45"))
                .as("there is room for one more")
                .contains("0: desire 18-31,44,46");
    }

    @Test
    void aRelayIsDoneWithoutThesePiecesButStaysUntilAllAreDone() {
        ScriptedNode relay = node(1, PIECES, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(0, "done");
        for (int piece = 16; piece < 31; piece++) {
            relay.store(0, piece);
        }
        assertThat(relay.store(0, 31))
                .contains("0: done", "2: done", "completed")
                .doesNotContain("0: stop");
        relay.receive(2, "desire 47");
        relay.receive(2, "work 47");
        assertThat(relay.receive(0, "bitfield 47")).containsExactly("0: request 47");
        assertThat(relay.receive(2, "done")).contains("0: stop", "2: stop");
    }

    @Test
    void aRelayThatHasStoppedRequestsNothingMoreForOthers() {
        ScriptedNode relay = node(1, PIECES, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(0, "done");
        for (int piece = 16; piece < 32; piece++) {
            relay.store(0, piece);
        }
        relay.receive(2, "work 36-47");
        assertThat(relay.receive(0, "bitfield 36-47")).anyMatch(word -> word.startsWith("0: request"));
        assertThat(relay.receive(2, "done")).contains("0: stop", "2: stop");
        assertThat(relay.store(0, 36)).isEmpty();
        assertThat(relay.store(0, 37)).isEmpty();
    }

    @Test
    void aRelayThatHasStoppedTellsOwnersOfNothingMore() {
        ScriptedNode relay = node(1, PIECES, StealingVariant.IMPROVED).startWith(0, 2);
        relay.receive(0, "done");
        relay.receive(2, "done");
        for (int piece = 16; piece < 31; piece++) {
            relay.store(0, piece);
        }
        assertThat(relay.store(0, 31)).contains("0: stop", "2: stop");
        relay.lose(2);
        relay.ready(2);
        assertThat(relay.receive(2, "work 36-47")).noneMatch(word -> word.startsWith("0: "));
    }

    @Test
    void aRelayStealsNothingForOthers() {
        Topology topology = Topology.ofSizes(1, 2, 1);
        DataPlacement scatter = DataPlacement.scatter(0, List.of(0, 1, 2, 3), PIECES);
        ScriptedNode relay = ScriptedNode.of(StealingNode.ofRobber(
                        new NodeSetup(
                                1,
                                topology,
                                Overlay.complete(topology),
                                scatter.withRelays(PIECES),
                                scatter.possessedBy(1),
                                1,
                                2,
                                1,
                                PIECES,
                                false),
                        StealingVariant.IMPROVED))
                .startWith(0, 2, 3);
        relay.receive(2, "found-work");
        for (int piece = 12; piece < 24; piece++) {
            relay.store(0, piece);
        }
        relay.receive(2, "work none");
        assertThat(relay.receive(3, "work 40")).contains("0: desire 40").noneMatch(word -> word.startsWith("2: steal"));
    }

    @Test
    void thereAreNoneWhereTheCallOrTheVariantHasNone() {
        for (ScriptedNode client : List.of(
                ScriptedNode.of(StealingNode.ofRobber(setup(2, PIECES).withoutRelays(), StealingVariant.IMPROVED))
                        .startWith(0, 1),
                node(2, PIECES, StealingVariant.PUBLISHED).startWith(0, 1))) {
            assertThat(client.receive(0, "bitfield 32-47")).noneMatch(word -> word.contains("work"));
            assertThat(client.receive(1, "work 3"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("disconnect");
        }
    }
}
