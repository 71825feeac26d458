package org.robber.transport.job.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.link.pace.Distance;

class NearnessTest {
    private static final long DATA_BYTES = 1 << 30;

    @Test
    void nodesAtLoopbackAddressesShareAMachineWhicheverTheyAre() {
        for (String loopback : List.of("127.0.0.1", "127.0.1.1", "0:0:0:0:0:0:0:1", "::1")) {
            Nearness nodes = nodes("127.0.1.1", loopback, "127.0.0.1", loopback);
            assertThat(nodes.distance(0, 1)).as(loopback).isEqualTo(Distance.SAME_MACHINE);
            assertThat(nodes.distance(2, 3)).as(loopback).isEqualTo(Distance.SAME_MACHINE);
            assertThat(nodes.isOneMachine()).as(loopback).isTrue();
            assertThat(nodes.automaticLayout(DATA_BYTES)).isEqualTo(PieceLayout.insideMachine(DATA_BYTES));
        }
    }

    @Test
    void bytesOfAClusterAreCountedOnlyWhereTheyMatter() {
        assertThat(nodes("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2").automaticLayout(DATA_BYTES, () -> 1 << 20))
                .isEqualTo(PieceLayout.automatic(DATA_BYTES, 1 << 20, 2));
        assertThat(nodes("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.1").automaticLayout(DATA_BYTES, () -> {
                    throw new AssertionError("counted");
                }))
                .isEqualTo(PieceLayout.insideMachine(DATA_BYTES));
    }

    @Test
    void nodesOfOneAddressAreOneMachine() {
        Nearness nodes = nodes("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.1");
        assertThat(nodes.isOneMachine()).isTrue();
        assertThat(nodes.automaticLayout(DATA_BYTES)).isEqualTo(PieceLayout.insideMachine(DATA_BYTES));
    }

    @Test
    void oneWhoCameAnotherWayMakesItSeveral() {
        Nearness nodes = nodes("127.0.0.1", "127.0.0.1", "127.0.0.1", "10.0.0.2");
        assertThat(nodes.isOneMachine()).isFalse();
        assertThat(nodes.automaticLayout(DATA_BYTES)).isEqualTo(PieceLayout.automatic(DATA_BYTES, 2));
    }

    @Test
    void distanceFollowsAddressesFirstAndThenClusters() {
        Nearness nodes = nodes("10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3");
        assertThat(nodes.distance(0, 1)).isEqualTo(Distance.SAME_CLUSTER);
        assertThat(nodes.distance(0, 2)).isEqualTo(Distance.SAME_MACHINE);
        assertThat(nodes.distance(1, 2)).isEqualTo(Distance.OTHER_CLUSTER);
        assertThat(nodes.distance(3, 2)).isEqualTo(Distance.SAME_CLUSTER);
    }

    /** Four nodes in two clusters of two. */
    private static Nearness nodes(String... addresses) {
        List<Member> members = new ArrayList<>();
        for (String address : addresses) {
            members.add(new Member(members.size() < 2 ? "A" : "B", "host", 1, address, 1));
        }
        return new Nearness(members, Topology.ofSizes(2, 2));
    }
}
