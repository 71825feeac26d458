package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
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

    private final Function<Topology, int[]> parents;

    /** The routes that were made last: a node asks for those of each peer, too. */
    private volatile @Nullable Known known;

    /** @param trees the tree that leads away from each owner, also of earlier calls; never changed */
    private record Known(Topology topology, DataPlacement placement, CallRoutes routes, Map<Integer, Stripe> trees) {}

    /**
     * A strategy.
     *
     * @param copiesPerCluster how often a piece enters a cluster from outside, at most
     * @param parents the tree, rooted at rank 0: the parent of each rank
     */
    SingleTreeStrategy(String name, int copiesPerCluster, Function<Topology, int[]> parents) {
        super(name, copiesPerCluster);
        this.parents = parents;
    }

    @Override
    final Forest plan(Topology topology) {
        return Forest.of(parents.apply(topology));
    }

    @Override
    public final boolean needsSingleRoot() {
        return false;
    }

    @Override
    public final ReductionPlanner reductions(Topology topology) {
        return ReductionPlanner.alongTree(parents.apply(topology));
    }

    @Override
    final CallRoutes routes(NodeSetup setup) {
        if (setup.placement().hasSingleRoot()) {
            return super.routes(setup);
        }
        Known last = known;
        if (last == null || last.topology != setup.topology()) {
            last = find(setup, ImmutableMap.of());
            known = last;
        } else if (last.placement != setup.placement()) {
            last = find(setup, last.trees);
            known = last;
        }
        return last.routes;
    }

    private Known find(NodeSetup setup, Map<Integer, Stripe> before) {
        Stripe tree = forest(setup.topology(), 0).stripes().get(0);
        Map<Integer, Stripe> trees = new HashMap<>(before);
        CallRoutes routes = CallRoutes.of(setup.placement(), owner -> trees.computeIfAbsent(owner, tree::rootedAt));
        return new Known(setup.topology(), setup.placement(), routes, trees);
    }
}
