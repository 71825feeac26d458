package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.hash.Hashing;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bandwidth between clusters, measured before a multicast: for strategies that plan by it. Clusters go
 * by their names, all rates are in bytes per second, and {@link Double#POSITIVE_INFINITY} stands where there is no limit.
 * Immutable.
 */
public final class BandwidthMap {

    /** Enough to tell apart what people mix up, and short enough to be shown. */
    private static final int DIGEST_LENGTH = 16;

    private static final BandwidthMap UNKNOWN = builder().build();

    private final ImmutableSortedMap<String, ImmutableSortedMap<String, Double>> links;
    private final ImmutableSortedMap<String, Limits> clusters;
    private final String source;

    /**
     * What a cluster can take.
     *
     * @param accessUp what all nodes together send to other clusters
     * @param accessDown what all nodes together receive from other clusters
     * @param cardsUp what the card of each node sends, by its index; none where it is not known
     * @param cardsDown what the card of each node receives
     */
    private record Limits(
            double accessUp, double accessDown, ImmutableList<Double> cardsUp, ImmutableList<Double> cardsDown) {}

    private static final Limits UNLIMITED =
            new Limits(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, ImmutableList.of(), ImmutableList.of());

    private BandwidthMap(Builder builder) {
        ImmutableSortedMap.Builder<String, ImmutableSortedMap<String, Double>> copy = ImmutableSortedMap.naturalOrder();
        builder.links.forEach((from, to) -> copy.put(from, ImmutableSortedMap.copyOf(to)));
        links = copy.buildOrThrow();
        clusters = ImmutableSortedMap.copyOf(builder.clusters);
        source = builder.source;
    }

    /** Nothing was measured: all links are taken to be equal. */
    public static BandwidthMap unknown() {
        return UNKNOWN;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Whether nothing was measured. */
    public boolean isUnknown() {
        return links.isEmpty();
    }

    /**
     * The network between the clusters of a topology. Where nothing was measured, all links have the rate 1, which says
     * nothing but that they are equal.
     *
     * @throws IllegalArgumentException if nothing is known of a cluster, the rate of a link is missing, or a cluster has more
     *     nodes than cards; the message names all such clusters or links
     */
    public ClusterBandwidths of(Topology topology) {
        checkNames(topology);
        List<String> missing = new ArrayList<>();
        int count = topology.clusterCount();
        double[][] rates = new double[count][count];
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                if (from != to) {
                    Double rate = rate(topology.clusterName(from), topology.clusterName(to));
                    if (rate == null) {
                        missing.add(topology.clusterName(from) + "-" + topology.clusterName(to));
                    } else {
                        rates[from][to] = rate;
                    }
                }
            }
        }
        checkArgument(
                missing.isEmpty(), "%s: there is no link %s: give it a rate, or 0", source, String.join(", ", missing));
        double[] accessUp = new double[count];
        double[] accessDown = new double[count];
        double[][] cardsUp = new double[count][];
        double[][] cardsDown = new double[count][];
        for (int cluster = 0; cluster < count; cluster++) {
            String name = topology.clusterName(cluster);
            Limits limits = clusters.getOrDefault(name, UNLIMITED);
            accessUp[cluster] = limits.accessUp;
            accessDown[cluster] = limits.accessDown;
            cardsUp[cluster] = cards(name, limits.cardsUp, topology.clusterSize(cluster));
            cardsDown[cluster] = cards(name, limits.cardsDown, topology.clusterSize(cluster));
        }
        return new ClusterBandwidths(clusterNames(topology), rates, accessUp, accessDown, cardsUp, cardsDown);
    }

    /** Rates go by the names of clusters, so these must be the job's: where one is missing, all its links would be. */
    private void checkNames(Topology topology) {
        TreeSet<String> known = new TreeSet<>(clusters.keySet());
        links.forEach((from, to) -> {
            known.add(from);
            known.addAll(to.keySet());
        });
        List<String> wanted = clusterNames(topology);
        List<String> missing =
                wanted.stream().filter(name -> !known.contains(name)).toList();
        List<String> others =
                known.stream().filter(name -> !wanted.contains(name)).toList();
        checkArgument(
                isUnknown() || missing.isEmpty(),
                "%s: nothing about the job's %s %s%s: give clusters the same names here and there",
                source,
                missing.size() == 1 ? "cluster" : "clusters",
                String.join(", ", missing),
                others.isEmpty() ? "" : ", but about " + String.join(", ", others));
    }

    private static ImmutableList<String> clusterNames(Topology topology) {
        return IntStream.range(0, topology.clusterCount())
                .mapToObj(topology::clusterName)
                .collect(ImmutableList.toImmutableList());
    }

    private @Nullable Double rate(String from, String to) {
        return isUnknown()
                ? Double.valueOf(1)
                : links.getOrDefault(from, ImmutableSortedMap.of()).get(to);
    }

    /** The cards of so many nodes; where all that are known are equal, further ones are, too. */
    private double[] cards(String cluster, List<Double> cards, int nodes) {
        checkArgument(
                cards.size() >= nodes || cards.stream().distinct().count() <= 1,
                "%s: cards of %s nodes of cluster %s, which has %s: give each node's, or one for all",
                source,
                cards.size(),
                cluster,
                nodes);
        double[] rates = new double[nodes];
        Arrays.fill(rates, cards.isEmpty() ? Double.POSITIVE_INFINITY : cards.get(0));
        for (int index = 0; index < Math.min(nodes, cards.size()); index++) {
            rates[index] = cards.get(index);
        }
        return rates;
    }

    /** A short text that differs where maps do: for comparing those of several nodes. */
    public String digest() {
        return Hashing.sha256()
                .hashString(toString(), StandardCharsets.UTF_8)
                .toString()
                .substring(0, DIGEST_LENGTH);
    }

    /** All of it in one line, the same for equal maps, wherever they come from: for comparing them. */
    @Override
    public String toString() {
        return "links " + links + ", clusters " + clusters;
    }

    /** Collects measurements. Not thread-safe. */
    public static final class Builder {
        private final TreeMap<String, TreeMap<String, Double>> links = new TreeMap<>();
        private final TreeMap<String, Limits> clusters = new TreeMap<>();
        private String source = "the bandwidths";

        private Builder() {}

        /** Where they come from, for messages: such as the name of a file. */
        @CanIgnoreReturnValue
        public Builder source(String name) {
            source = name;
            return this;
        }

        /** One direction between two clusters; 0 if nothing passes. */
        @CanIgnoreReturnValue
        public Builder link(String from, String to, double bytesPerSecond) {
            checkRate(bytesPerSecond);
            checkArgument(!from.equals(to), "link from %s to itself", from);
            links.computeIfAbsent(from, unused -> new TreeMap<>()).put(to, bytesPerSecond);
            return this;
        }

        /**
         * What a cluster can take; without it, everything.
         *
         * @param accessUp what all nodes together send to other clusters
         * @param accessDown what all nodes together receive from other clusters
         * @param cardsUp what the card of each node sends, by its index; empty if cards are no limit
         * @param cardsDown what the card of each node receives, by its index; empty if cards are no limit
         */
        @CanIgnoreReturnValue
        public Builder cluster(
                String name, double accessUp, double accessDown, List<Double> cardsUp, List<Double> cardsDown) {
            checkRate(accessUp);
            checkRate(accessDown);
            cardsUp.forEach(Builder::checkRate);
            cardsDown.forEach(Builder::checkRate);
            clusters.put(
                    name,
                    new Limits(accessUp, accessDown, ImmutableList.copyOf(cardsUp), ImmutableList.copyOf(cardsDown)));
            return this;
        }

        private static void checkRate(double bytesPerSecond) {
            checkArgument(bytesPerSecond >= 0, "bytes per second: %s", bytesPerSecond);
        }

        public BandwidthMap build() {
            return new BandwidthMap(this);
        }
    }
}
