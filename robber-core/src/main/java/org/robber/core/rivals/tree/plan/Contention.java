package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import java.util.BitSet;
import org.robber.core.topology.ClusterBandwidths;

/**
 * The rates that trees get when all of them send as fast as they can, and flows that share a line get equal parts of it.
 * All rates grow together. A tree stops growing when something on its way is full (max-min fairness). If chunks of data go to
 * the next tree that is ready, each tree carries data in proportion to its rate.
 */
public final class Contention {

    /** What is left of a limit below this part of it is an error of arithmetic. */
    private static final double NOTHING_LEFT = 1e-9;

    private Contention() {}

    /** The same trees with the rates they get. */
    public static ImmutableList<ClusterTree> of(ClusterBandwidths network, ImmutableList<ClusterTree> trees) {
        if (network.clusterCount() == 1) {
            return trees;
        }
        SharedLimits limits = SharedLimits.of(network, trees);
        double[] rates = grow(limits.uses(), limits.most(), trees.size());
        if (Doubles.min(rates) <= 0) {
            throw Infeasible.of(network, trees);
        }
        ImmutableList.Builder<ClusterTree> contending = ImmutableList.builder();
        for (int i = 0; i < rates.length; i++) {
            contending.add(trees.get(i).withRate(rates[i]));
        }
        return contending.build();
    }

    private static double[] grow(double[][] uses, double[] most, int trees) {
        double[] rates = new double[trees];
        double[] left = most.clone();
        BitSet growing = new BitSet(trees);
        growing.set(0, trees);
        while (!growing.isEmpty()) {
            double step = Double.POSITIVE_INFINITY;
            for (int row = 0; row < left.length; row++) {
                double used = sum(uses[row], growing);
                step = used > 0 ? Math.min(step, left[row] / used) : step;
            }
            checkArgument(Double.isFinite(step), "no link limits the rate: bandwidths must be finite");
            for (int tree = growing.nextSetBit(0); tree >= 0; tree = growing.nextSetBit(tree + 1)) {
                rates[tree] += step;
            }
            BitSet full = new BitSet(trees);
            for (int row = 0; row < left.length; row++) {
                left[row] -= step * sum(uses[row], growing);
                if (left[row] <= NOTHING_LEFT * most[row]) {
                    addUsers(uses[row], full);
                }
            }
            growing.andNot(full);
        }
        return rates;
    }

    private static double sum(double[] uses, BitSet trees) {
        double sum = 0;
        for (int tree = trees.nextSetBit(0); tree >= 0; tree = trees.nextSetBit(tree + 1)) {
            sum += uses[tree];
        }
        return sum;
    }

    private static void addUsers(double[] uses, BitSet trees) {
        for (int tree = 0; tree < uses.length; tree++) {
            if (uses[tree] > 0) {
                trees.set(tree);
            }
        }
    }
}
