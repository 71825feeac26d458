package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.node.TimerKey;

/** Peers that refuse, or do not answer. Rank 0 is the root; ranks 1 to 3 are a cluster, and rank 4 is alone in another one. */
class SilentPeerTest {

    @Test
    void aPeerThatRefusesEverythingIsDropped() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3, 1).startWith(0);
        assertThat(node.receive(0, "bitfield 0")).containsExactly("0: request 0");
        for (int refusal = 1; refusal < 100; refusal++) {
            assertThat(node.receive(0, "reject 0")).contains("0: request 0");
        }
        assertThat(node.receive(0, "reject 0")).contains("disconnect 0: refuses everything");
    }

    /** Found by fault plan 28111328 of the simulator: the peer, which was alive and well, was dropped. */
    @Test
    void aRequestThatWasCancelledAndMadeAgainMayBeAnsweredTwice() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3, 1).startWith(0);
        node.receive(0, "bitfield 0");
        assertThat(node.stall(0)).contains("0: cancel 0");
        assertThat(node.revive(0)).contains("0: request 0");
        node.store(0, 0);
        assertThat(node.receive(0, "reject 0")).isEmpty();
        assertThat(node.receive(0, "reject 1")).contains("disconnect 0: reject without a request");
    }

    @Test
    void aThiefDoesNotWaitForAnAnswerBehindPieces() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3, 1).startWith(0, 4, 2, 3);
        node.receive(4, "bitfield none");
        node.receive(0, "bitfield 0");
        node.receive(2, "have 1");
        node.receive(3, "have 2");
        assertThat(node.receive(2, "found-work")).containsExactly("2: steal 0");
        assertThat(node.receive(2, "work 3-5")).containsExactly("0: desire 3-5", "4: desire 3-5");
        assertThat(node.receive(4, "bitfield none"))
                .as("the root's answer waits behind piece 0")
                .contains("3: found-work");
    }

    @Test
    void aVictimThatAnswersLateMakesNobodyTalkToAPeerThatWasToldToStop() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 3, 1, 1, 3, 1).startWith(0, 2, 3);
        node.receive(0, "bitfield 0");
        assertThat(node.receive(2, "found-work")).contains("2: steal 0");
        node.stall(2);
        node.store(0, 0);
        node.store(3, 1);
        assertThat(node.store(3, 2)).contains("completed");
        assertThat(node.receive(0, "done")).contains("0: stop");
        assertThat(node.receive(2, "work none")).noneMatch(word -> word.startsWith("0: "));
    }

    @Test
    void aVictimThatStallsTwiceAndIsLostOwesNoAnswer() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3, 1).startWith(0, 2, 3);
        node.receive(0, "bitfield 0-2");
        node.receive(2, "bitfield 0-2");
        assertThat(node.receive(2, "found-work")).contains("2: steal 0");
        node.stall(2);
        assertThat(node.receive(2, "found-work")).contains("2: steal 0");
        node.stall(2);
        node.lose(2);
        node.ready(2);
        assertThat(node.receive(2, "found-work")).contains("2: steal 0");
        node.receive(2, "work none");
        assertThat(node.receive(3, "found-work")).contains("3: steal 0");
    }

    @Test
    void afterADeathAThiefGivesUpAVictimThatDoesNotAnswer() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3, 1).startWith(0, 2, 3);
        node.receive(2, "have 0");
        node.receive(2, "have 1");
        node.receive(2, "have 2");
        node.store(2, 0);
        node.store(2, 1);
        node.store(2, 2);
        assertThat(node.receive(3, "found-work")).containsExactly("3: steal 0");
        node.die(4);
        assertThat(node.fire(TimerKey.NO_PROGRESS))
                .as("the victim may still answer")
                .doesNotContain("starved");
        assertThat(node.fire(TimerKey.NO_PROGRESS)).contains("starved");
        assertThat(node.receive(3, "work 3-5")).as("a late answer counts").contains("0: desire 3-5");
    }
}
