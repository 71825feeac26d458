package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;

/** Who takes over the work of a gateway. Rank 0 is the root; of ranks 1 to 8, a cluster, 1 and 5 are the gateways of 200 pieces. */
class GatewayWorkTest {

    @Test
    void aGatewayTellsGatewaysOfItsWork() {
        ScriptedNode gateway = gateway();
        assertThat(gateway.ready(5)).contains("5: found-work");
        assertThat(gateway.ready(2)).doesNotContain("2: found-work");
    }

    @Test
    void aGatewayGivesWorkToGatewaysOnly() {
        ScriptedNode gateway = gateway();
        gateway.ready(2);
        gateway.ready(5);
        assertThat(gateway.receive(2, "steal 0 having 0")).containsExactly("2: work none");
        assertThat(gateway.receive(5, "steal 0 having 0")).first().isEqualTo("5: work 0-49");
    }

    @Test
    void aGatewayThatIsLateLetsAllMatesTakeOverItsWork() {
        ScriptedNode gateway = gateway();
        gateway.ready(2);
        gateway.ready(5);
        // Its cluster has got 15 pieces from the other gateway, and this one none of its 100: 100 x 15 is less than 2 x
        // 12 x 185.
        for (int piece = 100; piece < 115; piece++) {
            assertThat(gateway.store(5, piece)).doesNotContain("2: found-work");
        }
        boolean called = false;
        for (int piece = 115; piece < 140; piece++) {
            called |= gateway.store(5, piece).contains("2: found-work");
        }
        assertThat(called).isTrue();
        assertThat(gateway.receive(2, "steal 0 having 0").get(0)).startsWith("2: work 0-");
    }

    /** With 32 clusters of 32 nodes, gateways that looked at once called all mates, and 32 x 32 fell to a third of its rate. */
    @Test
    void aGatewayIsNotLateBeforeAnEighthOfTheDataIsThere() {
        ScriptedNode gateway = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, 380, 5, 1, 8)
                .startWith(0);
        gateway.ready(2);
        gateway.ready(5);
        // After 43 pieces of the other gateway, 190 x 43 is more than 2 x 12 x 337; an eighth of the data is 47 pieces.
        for (int piece = 190; piece < 236; piece++) {
            assertThat(gateway.store(5, piece)).doesNotContain("2: found-work");
        }
        assertThat(gateway.store(5, 236)).contains("2: found-work");
    }

    /** They came at no rate of this call. With 4 clusters of 64 nodes, all members shared the lines, and a resumed copy took as long as a new one. */
    @Test
    void piecesOfAnEarlierRunMakeNoGatewayLate() {
        PieceSet kept = PieceSet.range(200, 100, 200);
        ScriptedNode gateway = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, kept, 5, 1, 8);
        gateway.startWith(0);
        assertThat(gateway.ready(2)).doesNotContain("2: found-work");
    }

    @Test
    void aGatewayWithoutLinesGivesEverythingToAnyMate() {
        ScriptedNode gateway = gateway();
        gateway.ready(2);
        assertThat(gateway.lose(0)).contains("2: found-work");
        assertThat(gateway.receive(2, "steal 0 having 0")).first().isEqualTo("2: work 0-99");
    }

    @Test
    void anotherMemberHasNoWorkAndStealsWhenItIsCalled() {
        ScriptedNode member = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 2, 200, 5, 1, 8);
        member.startWith(0, 1);
        assertThat(member.ownWork()).isEqualTo("none");
        assertThat(member.receive(1, "found-work")).containsExactly("1: steal 0");
    }

    @Test
    void asPublishedEveryMemberHasWork() {
        assertThat(ScriptedNode.connectedToAll(2, 200, 5, 1, 8).startWith(0).ownWork())
                .isEqualTo("25-49");
    }

    private static ScriptedNode gateway() {
        return ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, 200, 5, 1, 8)
                .startWith(0);
    }
}
