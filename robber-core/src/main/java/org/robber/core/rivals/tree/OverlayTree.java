package org.robber.core.rivals.tree;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * Multicasts along a tree of existing connections, for strategies that plan them for another purpose. The data enters each cluster
 * once and spreads inside it, both along shortest paths.
 */
public final class OverlayTree {
    /** By overlay, and by the rank of the root: all nodes of a simulation ask for the same plan. */
    private final PlanCache<Overlay> plans = new PlanCache<>();

    /**
     * The machine of one node.
     *
     * @param setup whose overlay connects all nodes
     */
    public MulticastNode createNode(NodeSetup setup) {
        Forest forest = plans.get(
                setup.overlay(),
                setup.rootRank(),
                () -> Forest.of(parents(setup.topology(), setup.overlay(), setup.rootRank())));
        return new TreeNode(setup, CallRoutes.ofMulticast(forest, setup.pieceCount()));
    }

    /** The limits of each of its nodes, where the connections inside each cluster join all its members. */
    public static StrategyLimits limits() {
        return StrategyLimits.ofOneSourceAPiece(StripeWindows.LARGEST, 1);
    }

    /** The tree: {@link Stripe#NONE} for the root. */
    static int[] parents(Topology topology, Overlay overlay, int rootRank) {
        return new Search(topology, overlay).from(rootRank);
    }

    private static final class Search {
        private final Topology topology;
        private final Overlay overlay;
        private final int[] parents;
        private final boolean[] reached;
        private final Queue<Integer> order = new ArrayDeque<>();

        Search(Topology topology, Overlay overlay) {
            this.topology = topology;
            this.overlay = overlay;
            this.parents = new int[topology.size()];
            this.reached = new boolean[topology.size()];
            Arrays.fill(parents, Stripe.NONE);
        }

        int[] from(int rootRank) {
            boolean[] entered = new boolean[topology.clusterCount()];
            entered[topology.clusterOf(rootRank)] = true;
            reach(rootRank, Stripe.NONE);
            Queue<Integer> visited = new ArrayDeque<>();
            for (Integer rank = order.poll(); rank != null; rank = order.poll()) {
                visited.add(rank);
                for (int peer : overlay.localPeers(rank)) {
                    reach(peer, rank);
                }
                for (int peer : overlay.globalPeers(rank)) {
                    if (!entered[topology.clusterOf(peer)]) {
                        entered[topology.clusterOf(peer)] = true;
                        reach(peer, rank);
                    }
                }
            }
            reachTheRest(visited);
            return parents;
        }

        /** A cluster whose own connections do not hold it together is entered more than once. */
        private void reachTheRest(Queue<Integer> visited) {
            order.addAll(visited);
            for (Integer rank = order.poll(); rank != null; rank = order.poll()) {
                for (int peer : overlay.peers(rank)) {
                    reach(peer, rank);
                }
            }
        }

        private void reach(int rank, int parent) {
            if (!reached[rank]) {
                reached[rank] = true;
                parents[rank] = parent;
                order.add(rank);
            }
        }
    }
}
