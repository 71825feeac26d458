package org.robber.core.tree;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import java.util.ArrayList;
import java.util.List;
import org.robber.core.topology.ClusterNetwork;

/**
 * The rates of trees that share links and clusters: as much as possible in all, and nowhere more than a link carries or a
 * cluster sends and receives.
 *
 * <p>Source: den Burger, Kielmann and Bal, "Balanced Multicasting: High-throughput Communication for Grid Applications",
 * SC 2005.
 */
final class Balance {
    private final ClusterNetwork network;
    private final ImmutableList<ClusterTree> candidates;
    private final List<double[]> coefficients = new ArrayList<>();
    private final List<Double> limits = new ArrayList<>();

    private Balance(ClusterNetwork network, ImmutableList<ClusterTree> candidates) {
        this.network = network;
        this.candidates = candidates;
    }

    /** Those of the candidates that carry anything, with their rates. */
    static ImmutableList<ClusterTree> of(ClusterNetwork network, ImmutableList<ClusterTree> candidates) {
        return new Balance(network, candidates).solve();
    }

    private ImmutableList<ClusterTree> solve() {
        if (network.clusterCount() == 1) {
            return candidates;
        }
        for (int cluster = 0; cluster < network.clusterCount(); cluster++) {
            limitCluster(cluster);
            for (int to = 0; to < network.clusterCount(); to++) {
                limitLink(cluster, to);
            }
        }
        double[] rates = PackingProgram.maximise(
                coefficients.toArray(new double[0][]), Doubles.toArray(limits), candidates.size());
        double best = Doubles.max(rates);
        checkArgument(best > 0, "by the bandwidths given, some cluster sends or receives nothing at all");
        ImmutableList.Builder<ClusterTree> trees = ImmutableList.builder();
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] > best * 1e-9) {
                trees.add(candidates.get(i).withRate(rates[i]));
            }
        }
        return trees.build();
    }

    private void limitCluster(int cluster) {
        double[] sent = new double[candidates.size()];
        double[] received = new double[candidates.size()];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = candidates.get(i).outdegree(cluster);
            received[i] = candidates.get(i).parents()[cluster] == Stripe.NONE ? 0 : 1;
        }
        limit(sent, network.up(cluster));
        limit(received, network.down(cluster));
    }

    private void limitLink(int from, int to) {
        double[] uses = new double[candidates.size()];
        for (int i = 0; i < uses.length; i++) {
            uses[i] = candidates.get(i).parents()[to] == from ? 1 : 0;
        }
        limit(uses, network.rate(from, to));
    }

    private void limit(double[] uses, double most) {
        if (Double.isFinite(most) && Doubles.max(uses) > 0) {
            coefficients.add(uses);
            limits.add(most);
        }
    }
}
