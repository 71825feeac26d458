package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.robber.ClusterBy;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.MeasureRoundTrip;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.rankzero.ClusterSearch.Found;

class ClusterSearchTest {
    private final List<Announce> nodes = new ArrayList<>();
    private final List<InetAddress> seen = new ArrayList<>();
    private final Map<Integer, MeasureRoundTrip> asked = new HashMap<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();

    @Test
    void nothingIsMeasuredInOneSubnet() {
        node("10.0.1.1", null);
        node("10.0.1.2", null);
        search(ClusterBy.AUTO);
        assertThat(asked).isEmpty();
        assertFound("1 subnet", "A", "A");
    }

    @Test
    void nothingIsMeasuredIfNodesNameTheirClusters() {
        node("10.0.1.1", "x");
        node("10.0.2.1", "y");
        search(ClusterBy.AUTO);
        assertFound("named by nodes", "x", "y");
    }

    @Test
    void oneNodeOfEachSubnetMeasures() {
        node("10.0.1.1", null);
        node("10.0.2.1", null);
        node("10.0.2.2", null);
        node("10.0.3.1", null);
        node("10.0.9.1", "named");
        ClusterSearch search = search(ClusterBy.AUTO);
        assertThat(asked.keySet()).containsExactlyInAnyOrder(1, 3);
        // The address of rank 0's machine is left empty: each node knows at which it has reached that.
        assertThat(asked.get(1)).isEqualTo(new MeasureRoundTrip(1, "", 4000));

        search.measured(1, new RoundTrip(1, 300));
        search.measured(3, new RoundTrip(1, 9000));
        assertThat(asked.get(0)).isEqualTo(new MeasureRoundTrip(2, "10.0.3.1", 4003));
        search.measured(3, new RoundTrip(1, 1));
        search.measured(0, new RoundTrip(2, 9100));
        assertThat(found).isEmpty();
        search.measured(1, new RoundTrip(2, 9200));
        assertFound(
                "1 node named its own; 3 subnets, round trips of at most 1 ms inside, at least 9.0 ms between",
                "A",
                "A",
                "A",
                "B",
                "named");
    }

    @Test
    void hostsOfOneSubnetAreToldApartIfThatIsAskedFor() {
        node("10.0.1.1", "ignored");
        node("10.0.1.2", null);
        node("10.0.1.2", null);
        ClusterSearch search = search(ClusterBy.RTT);
        search.measured(1, new RoundTrip(1, 20_000));
        search.measured(0, new RoundTrip(2, 20_000));
        assertFound("2 addresses, round trips of at least 20.0 ms between", "A", "B", "B");
    }

    @Test
    void subnetsAreNotComparedIfThatIsAskedFor() {
        node("10.0.1.1", "ignored");
        node("10.0.2.1", null);
        search(ClusterBy.SUBNET);
        assertFound("2 subnets", "A", "B");
    }

    @Test
    void whoDoesNotAnswerCannotBeReached() {
        node("10.0.1.1", null);
        node("10.0.2.1", null);
        node("10.0.3.1", null);
        ClusterSearch search = search(ClusterBy.AUTO);
        search.measured(1, new RoundTrip(1, 100));
        timers.get(0).run();
        // Rank 2 may be reached, though it reaches nobody.
        search.measured(1, new RoundTrip(2, Long.MAX_VALUE));
        timers.get(1).run();
        assertFound("3 subnets, round trips of at most 1 ms inside", "A", "A", "B");
    }

    @Test
    void anAbandonedSearchHasNoResult() {
        node("10.0.1.1", null);
        node("10.0.2.1", null);
        ClusterSearch search = search(ClusterBy.AUTO);
        search.abandon();
        search.measured(1, new RoundTrip(1, 100));
        timers.forEach(Runnable::run);
        search.conclude();
        assertThat(found).isEmpty();
    }

    @Test
    void nodesHaveToNameTheirClustersIfThatIsAskedFor() {
        node("10.0.1.1", "x");
        node("10.0.1.2", null);
        assertThatThrownBy(() -> search(ClusterBy.ENV))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.ranks()).containsExactly(1))
                .hasMessageContaining("--cluster-by=env")
                .hasMessageContaining("ROBBER_CLUSTER");
        assertThatThrownBy(() -> search(ClusterBy.SWITCH)).hasMessageContaining("give all nodes --cluster-by=switch");
    }

    @Test
    void aLateAnswerOfAnAbandonedSearchDoesNotCount() {
        node("10.0.1.1", null);
        node("10.0.2.1", null);
        int rounds = search(ClusterBy.AUTO).abandon();
        RoundTrip late = new RoundTrip(asked.get(1).round(), 300);

        ClusterSearch next = search(ClusterBy.AUTO, rounds);
        next.measured(1, late);
        assertThat(found).isEmpty();
        next.measured(1, new RoundTrip(asked.get(1).round(), 9000));
        next.measured(0, new RoundTrip(asked.get(0).round(), 9000));
        assertFound("2 subnets, round trips of at least 9.0 ms between", "A", "B");
    }

    private void node(String address, @Nullable String cluster) {
        int rank = nodes.size();
        nodes.add(new Announce("j", rank, 9, cluster, "host", 1, ImmutableList.of(""), 4000 + rank, ""));
        seen.add(InetAddresses.forString(address));
    }

    private ClusterSearch search(ClusterBy by) {
        return search(by, 0);
    }

    private ClusterSearch search(ClusterBy by, int rounds) {
        boolean[] besideRankZero = new boolean[nodes.size()];
        besideRankZero[0] = true;
        ClusterSearch.Network network = new ClusterSearch.Network() {
            @Override
            public void ask(int rank, MeasureRoundTrip question) {
                asked.put(rank, question);
            }

            @Override
            public void later(long seconds, Runnable work) {
                timers.add(work);
            }
        };
        ClusterSearch search =
                new ClusterSearch(by, new Whereabouts(nodes, seen, besideRankZero), rounds, network, found::add);
        search.start();
        return search;
    }

    private void assertFound(String how, String... clusters) {
        assertThat(found).containsExactly(new Found(List.of(clusters), how));
    }
}
