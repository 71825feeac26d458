package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.robber.core.random.SeededRandom;

/**
 * Draws scenarios of a kind: the same family and seed give the same scenario on every machine. Every cluster of a drawn
 * scenario can be reached from the root at every moment, over links that are never slower than {@code leastRate}, and every
 * limit is more than 0: a strategy has no excuse not to deliver.
 *
 * @param clusters most clusters; 1 up to this many are drawn
 * @param nodesPerCluster most nodes of a cluster; 1 up to this many are drawn for each
 * @param leastRate slowest link, in bytes per second
 * @param mostRate fastest link; rates are drawn evenly on a logarithmic scale
 * @param mostDelayNanos longest one-way delay of a link
 * @param mostLoss highest share of lost packets; two thirds of the links lose none
 * @param linkShare share of the ordered pairs that have a link, beside the ring that connects all clusters
 * @param limitShare share of the clusters with access, card or LAN limits
 * @param slowNodeShare share of the nodes whose cards have a tenth to a hundredth of the others' rate
 * @param phases most changes of the network; 0 up to this many are drawn
 * @param lastChangeNanos latest moment of a change, at least as many nanoseconds as there are phases
 */
public record ScenarioFamily(
        int clusters,
        int nodesPerCluster,
        double leastRate,
        double mostRate,
        long mostDelayNanos,
        double mostLoss,
        double linkShare,
        double limitShare,
        double slowNodeShare,
        int phases,
        long lastChangeNanos) {

    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    public ScenarioFamily {
        checkArgument(clusters >= 1 && nodesPerCluster >= 1, "%s x %s", clusters, nodesPerCluster);
        checkArgument(0 < leastRate && leastRate <= mostRate && mostRate < UNLIMITED, "%s to %s", leastRate, mostRate);
        checkArgument(mostDelayNanos >= 0, "mostDelayNanos: %s", mostDelayNanos);
        checkArgument(mostLoss >= 0 && mostLoss < 1, "mostLoss: %s", mostLoss);
        checkArgument(phases >= 0 && lastChangeNanos >= phases, "%s phases in %s ns", phases, lastChangeNanos);
    }

    /** A bit of everything, small enough to simulate hundreds of them in a build: up to 6 clusters of 8 nodes. */
    public static ScenarioFamily mixed() {
        return new ScenarioFamily(6, 8, 0.5e6, 20e6, 50_000_000, 0.01, 0.7, 0.4, 0.1, 4, 5_000_000_000L);
    }

    /** Like {@link #mixed}, but nothing changes, nothing is lost, and all nodes are alike: strategies should do well here. */
    public static ScenarioFamily steady() {
        return new ScenarioFamily(6, 8, 2e6, 20e6, 20_000_000, 0, 1, 0, 0, 0, 0);
    }

    /** The scenario of a seed. */
    public Scenario draw(long seed) {
        SeededRandom random = SeededRandom.forUse(seed, 0x5CE7);
        int count = 1 + random.nextInt(clusters);
        ImmutableList.Builder<ClusterSpec> drawn = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            drawn.add(cluster("C" + i, random));
        }
        ImmutableList<ClusterSpec> specs = drawn.build();
        int rootCluster = random.nextInt(count);
        NodePlace root =
                new NodePlace(rootCluster, random.nextInt(specs.get(rootCluster).nodes()));
        String name = "generated_" + Long.toUnsignedString(seed);
        return new Scenario(name, "", Origin.GENERATED, root, specs, phases(links(count, random), random));
    }

    private ClusterSpec cluster(String name, SeededRandom random) {
        int nodes = 1 + random.nextInt(nodesPerCluster);
        boolean limited = random.nextDouble() < limitShare;
        DoubleSupplier sometimes = () -> limited && random.nextDouble() < 0.4 ? rate(random) : UNLIMITED;
        double accessUp = sometimes.getAsDouble();
        double accessDown = sometimes.getAsDouble();
        List<Double> up = new ArrayList<>();
        List<Double> down = new ArrayList<>();
        double cardUp = sometimes.getAsDouble();
        double cardDown = sometimes.getAsDouble();
        for (int i = 0; i < nodes; i++) {
            boolean slow = random.nextDouble() < slowNodeShare;
            double part = slow ? 0.1 / (1 + random.nextInt(10)) : 1;
            up.add(slow && Double.isInfinite(cardUp) ? mostRate * part : cardUp * part);
            down.add(slow && Double.isInfinite(cardDown) ? mostRate * part : cardDown * part);
        }
        return new ClusterSpec(
                name,
                nodes,
                accessUp,
                accessDown,
                ImmutableList.copyOf(up),
                ImmutableList.copyOf(down),
                random.nextBoolean() ? NicScope.ALL : NicScope.WAN,
                // A node of a LAN serves several others, as a card serves several links.
                2 * sometimes.getAsDouble(),
                2 * sometimes.getAsDouble(),
                nodes * sometimes.getAsDouble());
    }

    /** A ring, so that every cluster can be reached, and a share of all other pairs. */
    private SortedMap<ClusterPair, LinkSpec> links(int count, SeededRandom random) {
        SortedMap<ClusterPair, LinkSpec> links = new TreeMap<>();
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                boolean inRing = to == (from + 1) % count;
                if (from != to && (inRing || random.nextDouble() < linkShare)) {
                    links.put(new ClusterPair(from, to), link(random));
                }
            }
        }
        return links;
    }

    private LinkSpec link(SeededRandom random) {
        long delayNanos = (long) (random.nextDouble() * mostDelayNanos);
        double loss = random.nextInt(3) == 0 ? random.nextDouble() * mostLoss : 0;
        return new LinkSpec(rate(random), delayNanos, loss);
    }

    private ImmutableList<Phase> phases(SortedMap<ClusterPair, LinkSpec> links, SeededRandom random) {
        ImmutableList.Builder<Phase> drawn = ImmutableList.builder();
        drawn.add(new Phase(0, ImmutableSortedMap.copyOfSorted(links)));
        int changes = random.nextInt(phases + 1);
        for (int i = 1; i <= changes; i++) {
            for (var link : links.entrySet()) {
                if (random.nextBoolean()) {
                    link.setValue(link(random));
                }
            }
            // In the i-th of as many equal parts as there are changes: so they are in order of time.
            long part = lastChangeNanos / changes;
            long atNanos = (i - 1) * part + 1 + (long) (random.nextDouble() * (part - 1));
            drawn.add(new Phase(atNanos, ImmutableSortedMap.copyOfSorted(links)));
        }
        return drawn.build();
    }

    /** Rounded to whole bytes, so that files show what was drawn. */
    private double rate(SeededRandom random) {
        return Math.rint(leastRate * StrictMath.pow(mostRate / leastRate, random.nextDouble()));
    }
}
