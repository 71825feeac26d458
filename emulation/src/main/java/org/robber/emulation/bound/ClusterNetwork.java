package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.stream.Stream;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/**
 * The capacities between clusters while nothing changes.
 *
 * @param root index of the root's cluster
 * @param clusters limits of each cluster
 * @param arcs links with a rate above zero
 */
record ClusterNetwork(int root, ImmutableList<ClusterLimits> clusters, ImmutableList<Arc> arcs) {

    /**
     * A link.
     *
     * @param pair where it leads
     * @param rate useful bytes per second, more than 0; may be infinite
     */
    record Arc(ClusterPair pair, double rate) {
        int from() {
            return pair.from();
        }

        int to() {
            return pair.to();
        }
    }

    /** The network of a scenario in one of its phases. */
    static ClusterNetwork of(Scenario scenario, Phase phase) {
        NodePlace root = scenario.root();
        ImmutableList.Builder<ClusterLimits> clusters = ImmutableList.builder();
        for (int i = 0; i < scenario.clusters().size(); i++) {
            clusters.add(ClusterLimits.of(scenario.clusters().get(i), i == root.cluster() ? root.index() : -1));
        }
        ImmutableList<Arc> arcs = phase.links().entrySet().stream()
                .map(link -> new Arc(link.getKey(), useful(link.getValue())))
                .filter(arc -> arc.rate() > 0)
                .collect(ImmutableList.toImmutableList());
        return new ClusterNetwork(root.cluster(), clusters.build(), arcs);
    }

    /** A packet that is lost has used the link all the same. */
    private static double useful(LinkSpec link) {
        return link.bytesPerSecond() * (1 - link.loss());
    }

    int size() {
        return clusters.size();
    }

    /** The rate that no node can exceed, regardless of the links. */
    double mostRate() {
        boolean onlyRoot = size() == 1 && clusters.get(0).receivers() == 0;
        return onlyRoot
                ? Double.POSITIVE_INFINITY
                : clusters.stream().mapToDouble(ClusterLimits::mostRate).min().orElseThrow();
    }

    /**
     * Whether a flow to a single sink may exceed the rate: a multicast uses access lines, cards and LANs more often.
     *
     * @param rate which cannot be exceeded anyway
     */
    boolean needsProgram(double rate) {
        for (int cluster = 0; cluster < size(); cluster++) {
            ClusterLimits limits = clusters.get(cluster);
            double out = linksOut(cluster);
            if (out > limits.wanUp()
                    || linksIn(cluster) > limits.wanDown()
                    || limits.localMatters(rate, Math.min(out, limits.wanUp()))) {
                return true;
            }
        }
        return false;
    }

    /** Some rate of the order of the others. */
    double someLimit() {
        return Stream.concat(
                        arcs.stream().map(Arc::rate),
                        clusters.stream()
                                .flatMap(limits -> Stream.of(
                                        limits.lan(),
                                        limits.cardsUp(),
                                        limits.wanUp(),
                                        limits.wanDown(),
                                        limits.rootLan())))
                .filter(limit -> limit > 0 && Double.isFinite(limit))
                .min(Double::compare)
                .orElse(1.0);
    }

    private double linksOut(int cluster) {
        return arcs.stream()
                .filter(arc -> arc.from() == cluster)
                .mapToDouble(Arc::rate)
                .sum();
    }

    private double linksIn(int cluster) {
        return arcs.stream()
                .filter(arc -> arc.to() == cluster)
                .mapToDouble(Arc::rate)
                .sum();
    }
}
