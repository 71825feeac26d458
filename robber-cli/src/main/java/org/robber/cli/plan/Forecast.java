package org.robber.cli.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.robber.ChannelOptions;
import org.robber.SendLimits;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.PlanTerms;
import org.robber.core.piece.PieceLayout;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.bound.TheoreticalBound;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.Simulation;
import org.robber.emulation.simulator.SimulationOptions;
import org.robber.emulation.simulator.network.NodeSendLimits;

/**
 * How long a job would take, by the model of {@code emulate}: by its simulator, or, where that would take long, by the theoretical maximum alone.
 *
 * @param by what has computed it
 * @param seconds expected; 0 if nothing has computed it
 * @param rates where the rates of the network come from, or why there is no forecast
 * @param links data that would cross between clusters, if the simulator has computed it
 */
record Forecast(By by, double seconds, String rates, List<Crossing> links) {

    /** Without better knowledge: cards and links of 1 Gbit/s. */
    private static final double DEFAULT_BYTES_PER_SECOND = 125e6;

    private static final long DEFAULT_DELAY_NANOS = 5_000_000;
    private static final String DEFAULT_RATES =
            "assumed: 1 Gbit/s for each card and between clusters, round trips of 10 ms";

    /** Receipts of a piece that the simulator computes in seconds. */
    private static final long MOST_RECEIPTS = 200_000;

    /** The bound takes seconds for so many clusters with limited cards. */
    private static final int MOST_CLUSTERS = 32;

    private static final long SAMPLE_NANOS = 1_000_000_000;

    /** What computes a forecast. */
    enum By {
        SIMULATOR,
        BOUND,
        NOTHING
    }

    /** Data from one cluster to another. */
    record Crossing(String from, String to, long bytes) {}

    private static Forecast none(String why) {
        return new Forecast(By.NOTHING, 0, why, List.of());
    }

    /** Of nodes on this machine, which have no network between them. */
    static Forecast ofThisMachine(
            Map<String, Integer> clusters, PieceLayout layout, ChannelOptions channel, PlanTerms terms) {
        return terms.network() == null
                ? none("all nodes are on this machine; --bandwidths names a network")
                : of(clusters, layout, channel, terms);
    }

    /**
     * Computes it.
     *
     * @param clusters number of nodes of each, by name; that of rank 0 comes first
     */
    static Forecast of(Map<String, Integer> clusters, PieceLayout layout, ChannelOptions channel, PlanTerms terms) {
        List<String> names = List.copyOf(clusters.keySet());
        BandwidthFile file = terms.network();
        Scenario scenario;
        String rates;
        if (file == null) {
            scenario = scenario(
                    defaultClusters(List.copyOf(clusters.values())),
                    (from, to) -> new LinkSpec(DEFAULT_BYTES_PER_SECOND, DEFAULT_DELAY_NANOS, 0));
            rates = DEFAULT_RATES;
        } else {
            Scenario told = file.scenario();
            List<Integer> places = new ArrayList<>();
            for (String name : names) {
                int place = indexOf(told, name);
                if (place < 0) {
                    return none(file.name() + " has no cluster " + name);
                }
                places.add(place);
            }
            List<Integer> nodes = List.copyOf(clusters.values());
            List<ClusterSpec> specs = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                specs.add(named(told.clusters().get(places.get(i)).withNodes(nodes.get(i)), i));
            }
            scenario = scenario(
                    specs,
                    (from, to) -> told.phases()
                            .get(0)
                            .links()
                            .getOrDefault(new ClusterPair(places.get(from), places.get(to)), new LinkSpec(0, 0, 0)));
            rates = file.name();
        }
        return run(scenario, names, layout, channel, terms.limits(), rates);
    }

    private static Forecast run(
            Scenario scenario,
            List<String> names,
            PieceLayout layout,
            ChannelOptions channel,
            SendLimits limits,
            String rates) {
        long bytes = layout.totalBytes();
        if ((long) layout.pieceCount() * scenario.nodeCount() > MOST_RECEIPTS) {
            return scenario.clusters().size() > MOST_CLUSTERS
                    ? none("there are more than " + MOST_CLUSTERS + " clusters and too many pieces")
                    : new Forecast(By.BOUND, TheoreticalBound.of(scenario).storeSeconds(bytes), rates, List.of());
        }
        double boundSeconds = scenario.clusters().size() > MOST_CLUSTERS
                ? Double.NaN
                : TheoreticalBound.of(scenario).storeSeconds(bytes);
        RunResult result = Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName(channel.strategy(), InitialBandwidths.of(scenario)), 1, bytes)
                        .withPieceBytes(layout.pieceBytes())
                        .withRequestWindow(channel.requestWindow())
                        .withSendLimits(NodeSendLimits.ofOptions(limits.bytesPerSecond(), limits.wanBytesPerSecond()))
                        .withLimitForBound(boundSeconds)
                        .withSampleNanos(SAMPLE_NANOS));
        if (!result.isComplete()) {
            return none("the simulated job does not end: " + result.problem());
        }
        List<Crossing> links = new ArrayList<>();
        result.stolenBytes().forEach((pair, crossed) -> {
            if (pair.from() != pair.to()) {
                links.add(new Crossing(names.get(pair.from()), names.get(pair.to()), crossed));
            }
        });
        return new Forecast(By.SIMULATOR, result.nanos() / 1e9, rates, List.copyOf(links));
    }

    /** The link between two clusters, by their numbers. */
    private interface Links {
        LinkSpec between(int from, int to);
    }

    /** Names of clusters are free, and those of scenarios are not: here they are numbers. */
    private static Scenario scenario(List<ClusterSpec> clusters, Links links) {
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> all = ImmutableSortedMap.naturalOrder();
        for (int from = 0; from < clusters.size(); from++) {
            for (int to = 0; to < clusters.size(); to++) {
                if (from != to) {
                    all.put(new ClusterPair(from, to), links.between(from, to));
                }
            }
        }
        return new Scenario(
                "plan",
                "",
                Origin.GENERATED,
                new NodePlace(0, 0),
                ImmutableList.copyOf(clusters),
                ImmutableList.of(new Phase(0, all.buildOrThrow())));
    }

    private static List<ClusterSpec> defaultClusters(List<Integer> nodes) {
        List<ClusterSpec> clusters = new ArrayList<>();
        for (int count : nodes) {
            clusters.add(ClusterSpec.ofCards("c" + clusters.size(), count, DEFAULT_BYTES_PER_SECOND));
        }
        return clusters;
    }

    private static ClusterSpec named(ClusterSpec spec, int number) {
        return new ClusterSpec(
                "c" + number,
                spec.nodes(),
                spec.accessUp(),
                spec.accessDown(),
                spec.nodeUp(),
                spec.nodeDown(),
                spec.nic(),
                spec.lanUp(),
                spec.lanDown(),
                spec.lan());
    }

    private static int indexOf(Scenario scenario, String name) {
        for (int i = 0; i < scenario.clusters().size(); i++) {
            if (scenario.clusters().get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
