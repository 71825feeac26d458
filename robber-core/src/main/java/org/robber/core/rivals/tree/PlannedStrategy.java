package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.core.node.StrategyOptions;
import org.robber.core.rivals.tree.plan.ClusterTree;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.HostTrees;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/** A strategy whose trees follow the bandwidths between clusters as they were before the multicast. */
abstract class PlannedStrategy extends TreeStrategy {
    private final StrategyOptions options;
    private final boolean isPaced;

    /** @param isPaced whether senders keep to the rates, if they are known */
    PlannedStrategy(String name, StrategyOptions options, boolean isPaced) {
        super(options.nameWithFlags(name), /* copiesPerCluster= */ 1);
        this.options = options;
        this.isPaced = isPaced;
    }

    /** The trees of clusters, with their rates. */
    abstract ImmutableList<ClusterTree> clusterTrees(ClusterBandwidths network, int rootCluster);

    StrategyOptions chosen() {
        return options;
    }

    @Override
    Forest plan(Topology topology) {
        ClusterBandwidths network = options.bandwidths().of(topology);
        return HostTrees.of(
                topology,
                network,
                clusterTrees(network, topology.clusterOf(0)),
                isPaced && !options.bandwidths().isUnknown());
    }

    @Override
    public boolean usesBandwidths() {
        return true;
    }

    @Override
    public String fingerprint() {
        return options.bandwidths().isUnknown()
                ? name()
                : name() + "#" + options.bandwidths().digest();
    }

    @Override
    public List<String> remarks() {
        return options.bandwidths().isUnknown()
                ? List.of(name()
                        + " plans by the bandwidths between clusters, and was told none: it takes all of them to be"
                        + " equal")
                : List.of();
    }
}
