package org.robber.core.robber;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.node.TimerKey;

/** The work of a lost cluster mate is taken over by its peers. */
class InheritanceTest {
    private static final String WAIT = "inherit at 1000000000";

    @Test
    void anHeirTakesOverWhatNobodyOffersAndNothingTwice() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.ownWork()).isEqualTo("0-2");
        assertThat(node.lose(2)).contains(WAIT);
        assertThat(node.ownWork()).isEqualTo("0-2");
        assertThat(node.fire(TimerKey.INHERIT)).containsExactly("0: desire 0-8", "3: found-work");
        assertThat(node.fire(TimerKey.INHERIT)).isEmpty();
    }

    @Test
    void whileMatesGetNewPiecesNothingIsTakenOver() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.lose(2)).contains(WAIT);
        assertThat(node.receive(3, "have 8")).contains("3: request 8");
        assertThat(node.fire(TimerKey.INHERIT)).containsExactly(WAIT);
        assertThat(node.ownWork()).isEqualTo("0-2");
    }

    @Test
    void theLossOfAPeerElsewhereLeavesNoWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.lose(0)).doesNotContain(WAIT);
    }

    @Test
    void inTheRootsClusterAMateThatInheritedWorkIsRelievedOfIt() {
        ScriptedNode mateOfRoot = ScriptedNode.connectedToAll(1, 4, 5, 3, 2).startWith(0, 2, 3);
        assertThat(mateOfRoot.receive(2, "found-work")).containsExactly("2: steal 0");
    }
}
