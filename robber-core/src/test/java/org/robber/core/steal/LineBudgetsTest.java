package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** Two clusters of four. Each of the nodes 0 to 3 has eight pieces, and two of them are for each of the nodes 4 to 7. */
class LineBudgetsTest {
    private static final int PIECES = 32;

    private static ScriptedNode receiver() {
        Topology topology = Topology.ofSizes(4, 4);
        List<Range> holdings = new ArrayList<>();
        List<Range> wants = new ArrayList<>();
        for (int owner = 0; owner < 4; owner++) {
            holdings.add(new Range(owner, 8 * owner, 8 * owner + 8));
            for (int place = 0; place < 4; place++) {
                int first = 8 * owner + 2 * place;
                wants.add(new Range(4 + place, first, first + 2));
            }
        }
        DataPlacement placement = new DataPlacement(PIECES, holdings, wants);
        NodeSetup setup = new NodeSetup(
                4, topology, Overlay.complete(topology), placement, placement.possessedBy(4), 1, 5, 1, PIECES, false);
        return ScriptedNode.of(StealingNode.ofRobber(setup, StealingVariant.IMPROVED));
    }

    @Test
    void theConnectionsOfALineShareABudgetAndEachHasOneRequest() {
        ScriptedNode receiver = receiver();
        receiver.start();
        assertThat(receiver.ready(0)).contains("0: request 0", "0: request 1");
        assertThat(receiver.ready(1)).contains("1: request 8").doesNotContain("1: request 9");
        assertThat(receiver.ready(2)).contains("2: request 16").doesNotContain("2: request 17");
    }

    @Test
    void whenOneHasNothingMoreToSendAnotherIsRequested() {
        ScriptedNode receiver = withFullLine();
        assertThat(receiver.store(0, 0)).noneMatch(word -> word.contains("request"));
        assertThat(receiver.store(0, 1)).contains("1: request 9");
    }

    private static ScriptedNode withFullLine() {
        return receiver().startWith(0, 1, 2);
    }

    @Test
    void aPeerThatIsLostOrSilentMakesRoomForOthers() {
        assertThat(withFullLine().lose(0)).contains("1: request 9");
        assertThat(withFullLine().stall(0)).contains("1: request 9");
    }
}
