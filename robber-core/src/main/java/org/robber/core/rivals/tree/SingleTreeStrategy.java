package org.robber.core.rivals.tree;

import org.jspecify.annotations.Nullable;
import org.robber.core.node.NodeSetup;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

/**
 * A strategy that plans one tree, which carries all calls. Each piece takes the path from its owner to the nodes that want it. Vectors are combined on
 * their way to rank 0.
 */
abstract class SingleTreeStrategy extends TreeStrategy {

    /** The routes that were made last: a node asks for those of each peer, too. */
    private volatile @Nullable Known known;

    private record Known(Topology topology, DataPlacement placement, CallRoutes routes) {}

    SingleTreeStrategy(String name) {
        super(name);
    }

    /** The tree, rooted at rank 0: the parent of each rank. */
    abstract int[] parents(Topology topology);

    @Override
    final Forest plan(Topology topology) {
        return Forest.of(parents(topology));
    }

    @Override
    public final boolean needsSingleRoot() {
        return false;
    }

    @Override
    public final ReductionPlanner reductions(Topology topology) {
        return ReductionPlanner.alongTree(parents(topology));
    }

    @Override
    final CallRoutes routes(NodeSetup setup) {
        if (setup.placement().hasSingleRoot()) {
            return super.routes(setup);
        }
        Known last = known;
        if (last == null || last.topology != setup.topology() || last.placement != setup.placement()) {
            last = new Known(
                    setup.topology(),
                    setup.placement(),
                    CallRoutes.of(setup.placement(), rootRank -> tree(setup.topology(), rootRank)));
            known = last;
        }
        return last.routes;
    }

    private Stripe tree(Topology topology, int rootRank) {
        return forest(topology, rootRank).stripes().get(0);
    }
}
