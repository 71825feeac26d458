package org.robber.emulation.bound;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest arborescence from a root to all nodes, by the method of Chu and Liu (1965) and Edmonds (1967): every node takes
 * its cheapest arc; a cycle among these is contracted to a single node, which then pays for an arc from outside only what that
 * arc costs more than the one it replaces.
 */
final class CheapestTree {
    private static final int NONE = -1;

    private final int nodes;
    private final int root;
    private final List<PricedArc> arcs;
    private final @Nullable PricedArc[] cheapest;
    private final int[] contracted;

    /** An arc; after a contraction, {@code inner} is the arc it stands for. */
    private record PricedArc(
            int from,
            int to,
            double cost,
            int number,
            @Nullable PricedArc inner) {}

    private CheapestTree(int nodes, int root, List<PricedArc> arcs) {
        this.nodes = nodes;
        this.root = root;
        this.arcs = arcs;
        this.cheapest = new PricedArc[nodes];
        this.contracted = new int[nodes];
    }

    /**
     * Finds it.
     *
     * @param from where each arc begins
     * @param to where each arc ends
     * @param costs of each arc, 0 or more
     * @return the numbers of its arcs
     * @throws IllegalArgumentException if a node cannot be reached
     */
    static int[] find(int nodes, int root, int[] from, int[] to, double[] costs) {
        List<PricedArc> arcs = new ArrayList<>();
        for (int arc = 0; arc < costs.length; arc++) {
            arcs.add(new PricedArc(from[arc], to[arc], costs[arc], arc, null));
        }
        return new CheapestTree(nodes, root, arcs)
                .solve().stream().mapToInt(PricedArc::number).sorted().toArray();
    }

    private List<PricedArc> solve() {
        for (PricedArc arc : arcs) {
            PricedArc known = cheapest[arc.to];
            if (arc.to != root && arc.from != arc.to && (known == null || arc.cost < known.cost)) {
                cheapest[arc.to] = arc;
            }
        }
        int left = contractCycles();
        return left == nodes ? chosen(List.of()) : chosen(contractedTree(left));
    }

    private List<PricedArc> contractedTree(int left) {
        List<PricedArc> outer = new ArrayList<>();
        for (PricedArc arc : arcs) {
            int from = contracted[arc.from];
            int to = contracted[arc.to];
            if (from != to && arc.to != root) {
                outer.add(new PricedArc(from, to, arc.cost - cheapestInto(arc.to).cost, arc.number, arc));
            }
        }
        return new CheapestTree(left, contracted[root], outer).solve();
    }

    /** The arcs of the contracted tree, and inside each cycle all but the one that they replace. */
    private List<PricedArc> chosen(List<PricedArc> outer) {
        @Nullable PricedArc[] into = Arrays.copyOf(cheapest, nodes);
        for (PricedArc arc : outer) {
            PricedArc inner = arc.inner;
            if (inner != null) {
                into[inner.to] = inner;
            }
        }
        List<PricedArc> tree = new ArrayList<>();
        for (PricedArc arc : into) {
            if (arc != null) {
                tree.add(arc);
            }
        }
        return tree;
    }

    /** Numbers the nodes anew, those of a cycle alike; returns how many numbers there are. */
    private int contractCycles() {
        int[] seenFrom = new int[nodes];
        Arrays.fill(seenFrom, NONE);
        Arrays.fill(contracted, NONE);
        int count = 0;
        for (int start = 0; start < nodes; start++) {
            int node = start;
            while (node != root && seenFrom[node] == NONE) {
                seenFrom[node] = start;
                node = cheapestInto(node).from;
            }
            if (node != root && seenFrom[node] == start && contracted[node] == NONE) {
                int cycle = count++;
                while (contracted[node] == NONE) {
                    contracted[node] = cycle;
                    node = cheapestInto(node).from;
                }
            }
        }
        for (int node = 0; node < nodes; node++) {
            contracted[node] = contracted[node] == NONE ? count++ : contracted[node];
        }
        return count;
    }

    private PricedArc cheapestInto(int node) {
        PricedArc arc = cheapest[node];
        checkArgument(arc != null, "node %s cannot be reached", node);
        return arc;
    }
}
