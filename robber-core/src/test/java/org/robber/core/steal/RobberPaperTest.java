package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** What the paper says of Robber, sentence by sentence. Where we differ, {@code docs/explanation/algorithm.md} says why. */
class RobberPaperTest {

    @Test
    void workIsDividedEquallyAmongTheNodesOfACluster() {
        assertThat(ScriptedNode.connectedToAll(1, 9, 5, 1, 3).ownWork()).isEqualTo("0-2");
        assertThat(ScriptedNode.connectedToAll(2, 9, 5, 1, 3).ownWork()).isEqualTo("3-5");
        assertThat(ScriptedNode.connectedToAll(3, 9, 5, 1, 3).ownWork()).isEqualTo("6-8");
    }

    @Test
    void fromALocalPeerANodeDesiresAllItLacksAndFromAGlobalPeerOnlyItsOwnWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 6, 5, 1, 2);
        node.start();
        assertThat(node.ready(0)).containsExactly("0: desire 0-2");
        assertThat(node.ready(2)).containsExactly("2: desire 0-5", "2: found-work");
    }

    @Test
    void nodesOfAClusterThatHoldsTheRootStealNeitherDataNorWork() {
        ScriptedNode mateOfRoot = ScriptedNode.connectedToAll(1, 4, 5, 2, 2).startWith(0, 2);
        assertThat(mateOfRoot.ownWork()).isEqualTo("none");
        assertThat(mateOfRoot.receive(0, "steal 0")).containsExactly("0: work none");
        assertThat(mateOfRoot.ready(3)).isEmpty();
    }

    @Test
    void fromGlobalPeersOnlyOwnWorkIsRequestedAndFromLocalPeersAnyPieceItLacks() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 4, 5, 1, 2).startWith(0, 2);
        assertThat(node.receive(2, "steal 0")).containsExactly("2: work 0", "0: desire 1");
        assertThat(node.receive(0, "bitfield 0-1")).containsExactly("0: request 1");
        assertThat(node.receive(2, "bitfield 2")).containsExactly("2: request 2");
        assertThat(node.receive(2, "have 0")).containsExactly("2: request 0");
    }

    @Test
    void amongThePiecesOnOfferOneIsChosenAtRandom() {
        Topology topology = Topology.ofSizes(1, 1);
        Overlay overlay = Overlay.builder(topology).connect(0, 1).build();
        Set<String> choices = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            ScriptedNode node = ScriptedNode.of(StealingNode.ofRobber(
                    new NodeSetup(1, topology, overlay, 0, PieceSet.empty(4), seed, 1, 1), StealingVariant.PUBLISHED));
            choices.addAll(node.startWith(0).receive(0, "bitfield 0-3"));
        }
        assertThat(choices).containsExactlyInAnyOrder("0: request 0", "0: request 1", "0: request 2", "0: request 3");
    }

    @Test
    void fiveRequestsAreOutstandingPerPeer() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 20, NodeSetup.PUBLISHED_REQUEST_WINDOW, 1, 1, 1)
                .startWith(0, 2);
        assertThat(node.receive(0, "bitfield 0-19")).hasSize(5).allMatch(action -> action.startsWith("0: request"));
        assertThat(node.receive(2, "bitfield 0-19")).hasSize(5).allMatch(action -> action.startsWith("2: request"));
    }

    @Test
    void aPieceKnownToBeHeldByALocalPeerLeavesMyWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 6, 5, 1, 2).startWith(0, 2);
        node.receive(2, "have 1");
        assertThat(node.ownWork()).isEqualTo("0,2");
        node.receive(2, "bitfield 2");
        assertThat(node.ownWork()).isEqualTo("0");
    }

    @Test
    void aPieceOnceRequestedIsPendingAndIsAskedOfNobodyElse() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 4, 5, 1, 2, 1).startWith(0, 2, 3);
        assertThat(node.receive(0, "bitfield 0-1")).hasSize(2);
        assertThat(node.receive(3, "bitfield 0-1")).isEmpty();
        assertThat(node.receive(2, "bitfield 0-1")).isEmpty();
    }

    @Test
    void aDesireIsAnsweredByABitfieldOfTheDesiredPiecesThatAreHere() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 4, 5, 1, 2).startWith(0, 2);
        node.receive(0, "bitfield 0-1");
        node.store(0, 1);
        assertThat(node.receive(2, "desire 0-3")).containsExactly("2: bitfield 1");
    }

    @Test
    void aDesireReplacesTheOneBeforeSoThatNoPieceInBetweenIsLostOrToldTwice() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 4, 5, 1, 2).startWith(0, 2);
        node.receive(0, "bitfield 0-1");
        node.receive(2, "desire 0");
        assertThat(node.receive(2, "desire 1")).containsExactly("2: bitfield none");
        assertThat(node.store(0, 0)).isEmpty();
        assertThat(node.store(0, 1)).containsExactly("2: have 1");
    }

    @Test
    void haveGoesOnlyToPeersThatDesireThePieceAndNeverToTheOneItCameFrom() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 6, 5, 1, 4).startWith(0, 2, 3, 4);
        node.receive(2, "have 5");
        node.receive(2, "desire 0-5");
        node.receive(3, "desire 0-5");
        node.receive(4, "desire 0-4");
        assertThat(node.store(2, 5)).containsExactly("3: have 5");
    }

    @Test
    void aPeerThatTellsOfAPieceDoesNotHearOfIt() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 6, 5, 1, 4).startWith(0, 2, 3);
        node.receive(2, "desire 0-5");
        node.receive(3, "desire 0-5");
        node.receive(3, "have 5");
        node.receive(2, "have 5");
        assertThat(node.store(3, 5)).isEmpty();
    }

    @Test
    void aNodeWithNoWorkLeftAsksALocalPeerThatAnnouncedSomeForWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 5, 1, 3).startWith(0, 2, 3);
        assertThat(node.receive(3, "found-work")).isEmpty();
        assertThat(node.receive(0, "bitfield 0-2")).hasSize(4).last().isEqualTo("3: steal 0");
    }

    @Test
    void aNodeWhoseOwnWorkNobodyOffersYetIsNotIdle() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 6, 5, 1, 2).startWith(0, 2);
        assertThat(node.receive(2, "found-work")).isEmpty();
        assertThat(node.receive(0, "bitfield none")).isEmpty();
    }

    @Test
    void aNodeThatHasOrAwaitsEverythingDoesNotSteal() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 2, 5, 1, 2).startWith(0, 2);
        node.receive(0, "bitfield 0");
        assertThat(node.receive(2, "have 1")).containsExactly("2: request 1");
        assertThat(node.receive(2, "found-work")).isEmpty();
    }

    @Test
    void aNodeHasOneStealInFlightAtATime() {
        ScriptedNode node = idleThief();
        assertThat(node.receive(3, "found-work")).isEmpty();
        assertThat(node.store(0, 0)).isEmpty();
    }

    @Test
    void theVictimGivesUpHalfOfItsRemainingWorkAndShrinksItsDesire() {
        ScriptedNode victim = ScriptedNode.connectedToAll(1, 20, 5, 1, 2).startWith(0, 2);
        assertThat(victim.receive(2, "steal 0")).containsExactly("2: work 0-4", "0: desire 5-9");
        assertThat(victim.receive(2, "steal 0")).containsExactly("2: work 5-6", "0: desire 7-9");
        assertThat(victim.ownWork()).isEqualTo("7-9");
    }

    @Test
    void theThiefDesiresItsNewWorkThenRequestsThenAnnouncesIt() {
        ScriptedNode thief = idleThief();
        thief.store(0, 0);
        assertThat(thief.receive(2, "work 3-5")).containsExactly("0: desire 3-5");
        List<String> actions = thief.receive(0, "bitfield 3-5");
        assertThat(actions.get(0)).startsWith("0: request");
        assertThat(actions).endsWith("2: found-work", "3: found-work");
    }

    @Test
    void aThiefThatHasAskedForAllItsNewWorkHasNoneToAnnounce() {
        ScriptedNode thief = idleThief();
        thief.store(0, 0);
        thief.receive(2, "work 3");
        assertThat(thief.receive(0, "bitfield 3")).containsExactly("0: request 3", "2: steal 1");
    }

    @Test
    void aThiefThatHasNotAskedForItsNewWorkYetIsNotRobbed() {
        ScriptedNode thief = idleThief();
        thief.receive(2, "work 3-5");
        assertThat(thief.receive(3, "steal 7")).containsExactly("3: work none");
        assertThat(thief.ownWork()).isEqualTo("3-5");
    }

    @Test
    void theThiefTakesOnlyWhatItStillLacks() {
        ScriptedNode thief = idleThief();
        thief.receive(3, "bitfield 3");
        thief.store(3, 3);
        thief.receive(3, "have 4");
        assertThat(thief.receive(2, "work 3-5")).containsExactly("0: desire 5");
    }

    @Test
    void onEmptyWorkTheThiefStrikesTheVictimAndTriesAnother() {
        ScriptedNode thief = idleThief();
        thief.receive(3, "found-work");
        assertThat(thief.receive(2, "work none")).containsExactly("3: steal 0");
        assertThat(thief.receive(3, "work none")).isEmpty();
        assertThat(thief.receive(2, "found-work")).containsExactly("2: steal 0");
    }

    @Test
    void atTheLastPieceANodeTellsAllPeersThatItIsDoneAndGoesOnServing() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 1, 5, 1, 1, 1).startWith(0, 2);
        node.receive(0, "bitfield 0");
        assertThat(node.store(0, 0)).containsExactly("completed", "0: done", "2: done");
        assertThat(node.receive(2, "request 0")).containsExactly("2: piece 0");
    }

    @Test
    void stopIsSentOnceBothAreDoneAndANodeHasFinishedWhenStoppedWithAll() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 1, 5, 1, 1, 1).startWith(0, 2);
        node.receive(0, "bitfield 0");
        assertThat(node.receive(0, "done")).isEmpty();
        assertThat(node.store(0, 0)).containsExactly("completed", "0: done", "0: stop", "2: done");
        assertThat(node.receive(0, "stop")).isEmpty();
        assertThat(node.receive(2, "done")).containsExactly("2: stop");
        assertThat(node.receive(2, "stop")).containsExactly("finished");
    }

    /** Node 1 of a root alone and a cluster of three: all of its work 0-2 is pending, and it has asked node 2 for work. */
    private static ScriptedNode idleThief() {
        ScriptedNode thief = ScriptedNode.connectedToAll(1, 9, 3, 1, 3).startWith(0, 2, 3);
        thief.receive(2, "found-work");
        assertThat(thief.receive(0, "bitfield 0-2")).last().isEqualTo("2: steal 0");
        return thief;
    }
}
