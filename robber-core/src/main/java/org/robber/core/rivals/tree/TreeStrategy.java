package org.robber.core.rivals.tree;

import java.util.Arrays;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * A strategy that plans trees. A channel has the connections of its plan for root 0. A multicast from another root uses the same
 * trees, turned so that they lead away from there.
 */
public abstract class TreeStrategy implements MulticastStrategy {
    private final String name;
    private final int copiesPerCluster;
    /** By topology, and by the rank of the root: all nodes of a simulation ask for the same plan. */
    private final PlanCache<Topology> plans = new PlanCache<>();

    /** @param copiesPerCluster how often a piece enters a cluster from outside, at most */
    TreeStrategy(String name, int copiesPerCluster) {
        this.name = name;
        this.copiesPerCluster = copiesPerCluster;
    }

    /** The trees, all rooted at rank 0. */
    abstract Forest plan(Topology topology);

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean needsSingleRoot() {
        return true;
    }

    @Override
    public final boolean plansForRankZero() {
        return true;
    }

    @Override
    public StrategyLimits limits(NodeSetup setup) {
        int[] windows = StripeWindows.of(routes(setup), setup.rank());
        // Nothing is requested where no node wants what it does not possess.
        return StrategyLimits.ofOneSourceAPiece(
                Math.max(1, Arrays.stream(windows).sum()), copiesPerCluster);
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return forest(topology, 0).overlay(topology);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new TreeNode(setup, routes(setup));
    }

    /** Which way the pieces of a call take. */
    CallRoutes routes(NodeSetup setup) {
        return CallRoutes.ofMulticast(forest(setup.topology(), setup.rootRank()), setup.pieceCount());
    }

    /** The plan for a root. */
    final Forest forest(Topology topology, int rootRank) {
        return plans.get(
                topology,
                rootRank,
                () -> rootRank == 0 ? plan(topology) : forest(topology, 0).rootedAt(rootRank));
    }
}
