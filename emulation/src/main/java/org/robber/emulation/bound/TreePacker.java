package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.bound.TreePacking.Tree;
import org.robber.emulation.scenario.ClusterPair;

/**
 * Packs trees into links of given rates, by column generation: prices of links are chosen so that all links together cost as
 * little as possible while no known tree costs less than 1; the cheapest tree of all is then added, until that costs 1 too. The
 * known trees are then enough for a best packing.
 */
final class TreePacker {
    /** A tree that costs less than 1 by no more than this costs 1: it is rounding. */
    private static final double TOLERANCE = 1e-7;

    /** A tree that carries less than this share of all does not exist: it is rounding. */
    private static final double SMALLEST_SHARE = 1e-9;

    private final ClusterNetwork network;
    private final double unit;
    private final int[] from;
    private final int[] to;
    private final List<int[]> known = new ArrayList<>();

    private TreePacker(ClusterNetwork network, double unit) {
        this.network = network;
        this.unit = unit;
        this.from = network.arcs().stream().mapToInt(Arc::from).toArray();
        this.to = network.arcs().stream().mapToInt(Arc::to).toArray();
    }

    /**
     * A best packing, under the limits of the links alone.
     *
     * @param likely a rate of the order of the result, more than 0 and finite
     */
    static TreePacking pack(ClusterNetwork network, double likely) {
        TreePacker packer = new TreePacker(network, likely);
        return packer.learnTrees() ? packer.packing() : packer.unlimited();
    }

    /** Whether no tree is without limit; if one is, it is the last that is known. */
    private boolean learnTrees() {
        LinearProgram program = new LinearProgram();
        int[] prices = network.arcs().stream()
                .mapToInt(arc -> isLimited(arc) ? program.variable(arc.rate() / unit) : -1)
                .toArray();
        double[] costs = new double[prices.length];
        Set<List<Integer>> seen = new HashSet<>();
        while (true) {
            int[] tree = CheapestTree.find(network.size(), network.root(), from, to, costs);
            double cost = Arrays.stream(tree).mapToDouble(arc -> costs[arc]).sum();
            if (cost >= 1 - TOLERANCE || !seen.add(Arrays.stream(tree).boxed().toList())) {
                return true;
            }
            known.add(tree);
            if (Arrays.stream(tree).noneMatch(arc -> prices[arc] >= 0)) {
                return false;
            }
            Row atLeastOne = program.row();
            for (int arc : tree) {
                if (prices[arc] >= 0) {
                    atLeastOne.add(prices[arc], 1);
                }
            }
            atLeastOne.atLeast(1);
            double[] values = program.minimise();
            for (int arc = 0; arc < costs.length; arc++) {
                costs[arc] = prices[arc] >= 0 ? Math.max(0, values[prices[arc]]) : 0;
            }
        }
    }

    private TreePacking packing() {
        LinearProgram program = new LinearProgram();
        Row[] carried = new Row[from.length];
        Arrays.setAll(carried, arc -> program.row());
        for (int[] tree : known) {
            int rate = program.variable(1);
            for (int arc : tree) {
                carried[arc].add(rate, 1);
            }
        }
        for (int arc = 0; arc < carried.length; arc++) {
            if (isLimited(network.arcs().get(arc))) {
                carried[arc].atMost(network.arcs().get(arc).rate() / unit);
            }
        }
        double[] rates = program.maximise();
        List<Tree> trees = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] > SMALLEST_SHARE) {
                trees.add(new Tree(rates[i] * unit, links(known.get(i))));
            }
        }
        trees.sort(Comparator.comparingDouble(Tree::bytesPerSecond).reversed());
        return new TreePacking(ImmutableList.copyOf(trees));
    }

    private TreePacking unlimited() {
        return new TreePacking(
                ImmutableList.of(new Tree(Double.POSITIVE_INFINITY, links(known.get(known.size() - 1)))));
    }

    private ImmutableList<ClusterPair> links(int[] tree) {
        return Arrays.stream(tree)
                .mapToObj(arc -> network.arcs().get(arc).pair())
                .sorted()
                .collect(ImmutableList.toImmutableList());
    }

    private static boolean isLimited(Arc arc) {
        return Double.isFinite(arc.rate());
    }
}
