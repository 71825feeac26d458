package org.robber.emulation.testbed.calibration;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Groups of flows to measure at one time: the flows of a group together need no more than any cluster has. */
final class CalibrationPlan {

    /** Nodes of a cluster that take part, the fastest first. */
    private static final int MOST_NODES = 4;

    /** Limit of all flows of a round together, which any machine carries. */
    private static final double ROUND_BYTES_PER_SECOND = 100e6;

    /** Share of a cluster's capacity when several flows share it. */
    private static final double SHARE = 0.9;

    private final Scenario scenario;

    CalibrationPlan(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Every link of the first phase that lets anything pass, in rounds. */
    ImmutableList<ImmutableList<Flow>> rounds() {
        List<Flow> waiting = new ArrayList<>();
        scenario.phases().get(0).links().forEach((pair, link) -> {
            if (link.bytesPerSecond() > 0) {
                waiting.add(flow(pair, link));
            }
        });
        ImmutableList.Builder<ImmutableList<Flow>> rounds = ImmutableList.builder();
        while (!waiting.isEmpty()) {
            ImmutableList<Flow> round = round(waiting);
            waiting.removeAll(round);
            rounds.add(round);
        }
        return rounds.build();
    }

    private ImmutableList<Flow> round(List<Flow> waiting) {
        Map<Integer, Double> sent = new HashMap<>();
        Map<Integer, Double> received = new HashMap<>();
        double total = 0;
        ImmutableList.Builder<Flow> round = ImmutableList.builder();
        for (Flow flow : waiting) {
            double wanted = flow.isLimited() ? flow.wantedBytesPerSecond() : 0;
            int from = flow.pair().from();
            int to = flow.pair().to();
            boolean fits = (!sent.containsKey(from) || sent.get(from) + wanted <= SHARE * capacity(from, true))
                    && (!received.containsKey(to) || received.get(to) + wanted <= SHARE * capacity(to, false))
                    && (total == 0 || total + wanted <= ROUND_BYTES_PER_SECOND);
            if (fits) {
                sent.merge(from, wanted, Double::sum);
                received.merge(to, wanted, Double::sum);
                total += wanted;
                round.add(flow);
            }
        }
        return round.build();
    }

    private Flow flow(ClusterPair pair, LinkSpec link) {
        ImmutableList<Integer> senders = fastest(pair.from());
        ImmutableList<Integer> receivers = fastest(pair.to());
        int count = Math.min(senders.size(), receivers.size());
        double cards = 0;
        for (int i = 0; i < count; i++) {
            cards += Math.min(card(pair.from(), senders.get(i), true), card(pair.to(), receivers.get(i), false));
        }
        double between = Collections.min(List.of(
                link.bytesPerSecond(),
                scenario.clusters().get(pair.from()).accessUp(),
                scenario.clusters().get(pair.to()).accessDown()));
        LinkSpec back = scenario.phases().get(0).links().get(new ClusterPair(pair.to(), pair.from()));
        if (back == null || back.bytesPerSecond() == 0) {
            throw new TestbedException("the link " + scenario.pairName(pair)
                    + " has no way back, on which TCP could confirm what arrives: give the scenario a link for"
                    + " that");
        }
        return new Flow(
                pair,
                Math.min(between, cards),
                link.delayNanos() + back.delayNanos(),
                ranks(pair.from(), senders.subList(0, count)),
                ranks(pair.to(), receivers.subList(0, count)),
                cards < between);
    }

    /** The rate that participating nodes of a cluster can send or receive together. */
    private double capacity(int cluster, boolean up) {
        ClusterSpec spec = scenario.clusters().get(cluster);
        double cards = 0;
        for (int index : fastest(cluster)) {
            cards += card(cluster, index, up);
        }
        return Math.min(cards, up ? spec.accessUp() : spec.accessDown());
    }

    private double card(int cluster, int index, boolean up) {
        ClusterSpec spec = scenario.clusters().get(cluster);
        return (up ? spec.nodeUp() : spec.nodeDown()).get(index);
    }

    /** Indices of the nodes that take part: one if its card has no limit, else several. */
    private ImmutableList<Integer> fastest(int cluster) {
        ImmutableList<Integer> sorted = IntStream.range(
                        0, scenario.clusters().get(cluster).nodes())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        (Integer index) -> -Math.min(card(cluster, index, true), card(cluster, index, false))))
                .collect(ImmutableList.toImmutableList());
        int first = sorted.get(0);
        boolean unlimited = Double.isInfinite(Math.min(card(cluster, first, true), card(cluster, first, false)));
        return sorted.subList(0, unlimited ? 1 : Math.min(MOST_NODES, sorted.size()));
    }

    private ImmutableList<Integer> ranks(int cluster, List<Integer> indices) {
        return indices.stream()
                .map(index -> scenario.rankOf(new NodePlace(cluster, index)))
                .collect(ImmutableList.toImmutableList());
    }
}
