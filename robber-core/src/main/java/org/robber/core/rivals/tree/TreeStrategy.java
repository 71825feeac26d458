package org.robber.core.rivals.tree;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * A strategy that plans trees. A channel's connections are those of its plan for root 0; a multicast from another root
 * uses the same trees, turned so that they lead away from there. A plan of one tree carries all other calls, too: each piece takes the
 * path from its owner to those that want it. Vectors are combined on their way to rank 0.
 */
public abstract class TreeStrategy implements MulticastStrategy {
    private final String name;
    /** By topology, and by the rank of the root: all nodes of a simulation ask for the same plan. */
    private final PlanCache<Topology> plans = new PlanCache<>();

    TreeStrategy(String name) {
        this.name = name;
    }

    /** The trees, all rooted at rank 0. */
    abstract Forest plan(Topology topology);

    @Override
    public String name() {
        return name;
    }

    /** How often a piece enters a cluster from outside, at most: once, where trees know clusters. */
    int copiesPerCluster() {
        return 1;
    }

    @Override
    public ReductionPlanner reductions(Topology topology) {
        return ReductionPlanner.alongTree(tree(topology, 0).parents());
    }

    @Override
    public StrategyLimits limits(NodeSetup setup) {
        int[] windows = StripeWindows.of(routes(setup), setup.rank());
        return StrategyLimits.ofOneSourceAPiece(Arrays.stream(windows).sum(), copiesPerCluster());
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return forest(topology, 0).overlay(topology);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new TreeNode(setup, routes(setup));
    }

    private CallRoutes routes(NodeSetup setup) {
        Topology topology = setup.topology();
        return setup.placement().hasSingleRoot()
                ? CallRoutes.ofMulticast(forest(topology, setup.rootRank()), setup.pieceCount())
                : CallRoutes.of(setup.placement(), rootRank -> tree(topology, rootRank));
    }

    /** The only tree of the plan. */
    private Stripe tree(Topology topology, int rootRank) {
        ImmutableList<Stripe> trees = forest(topology, rootRank).stripes();
        checkState(trees.size() == 1, "%s plans %s trees", name, trees.size());
        return trees.get(0);
    }

    private Forest forest(Topology topology, int rootRank) {
        return plans.get(
                topology,
                rootRank,
                () -> rootRank == 0 ? plan(topology) : forest(topology, 0).rootedAt(rootRank));
    }
}
