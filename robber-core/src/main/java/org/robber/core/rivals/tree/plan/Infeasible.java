package org.robber.core.rivals.tree.plan;

import com.google.common.collect.ImmutableList;
import java.util.StringJoiner;
import org.robber.core.topology.ClusterBandwidths;

/** Says why no tree carries anything, for those who gave the bandwidths. */
public final class Infeasible {
    /** The advice if another plan does not help. */
    static final String OTHER_STRATEGIES = "take a strategy that plans without bandwidths, such as robber";

    /** The advice about rates of 0. */
    static final String ADVICE = "give them a rate, or " + OTHER_STRATEGIES;

    private Infeasible() {}

    /** Names the clusters that these trees would use, and that let nothing through. */
    public static IllegalArgumentException of(ClusterBandwidths network, ImmutableList<ClusterTree> trees) {
        StringJoiner closed = new StringJoiner(", ");
        for (int i = 0; i < network.clusterCount(); i++) {
            int cluster = i;
            if (network.up(cluster) == 0 && trees.stream().anyMatch(tree -> tree.outdegree(cluster) > 0)) {
                closed.add("cluster " + network.name(cluster) + " sends nothing");
            }
            if (network.down(cluster) == 0 && trees.stream().anyMatch(tree -> tree.parents()[cluster] != Stripe.NONE)) {
                closed.add("cluster " + network.name(cluster) + " receives nothing");
            }
        }
        return new IllegalArgumentException("by the bandwidths at the start, no tree carries anything: " + closed
                + ": its access line or all of its cards have a rate of 0; " + ADVICE);
    }
}
