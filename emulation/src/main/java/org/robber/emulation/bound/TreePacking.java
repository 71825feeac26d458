package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.Locale;
import java.util.stream.Collectors;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;

/**
 * Trees over the clusters, and how fast data flows down each of them: together they reach the bound.
 *
 * @param trees the fastest first
 */
public record TreePacking(ImmutableList<Tree> trees) {

    /**
     * A tree from the root's cluster to all others.
     *
     * @param bytesPerSecond what flows down it
     * @param links one into each cluster but the root's, in their order
     */
    public record Tree(double bytesPerSecond, ImmutableList<ClusterPair> links) {}

    /** What all trees carry together. */
    public double bytesPerSecond() {
        return trees.stream().mapToDouble(Tree::bytesPerSecond).sum();
    }

    /** What all trees together put on a link. */
    public double bytesPerSecond(ClusterPair link) {
        return trees.stream()
                .filter(tree -> tree.links().contains(link))
                .mapToDouble(Tree::bytesPerSecond)
                .sum();
    }

    /** The fastest trees, as many as carry a rate together. */
    TreePacking atMost(double bytesPerSecond) {
        ImmutableList.Builder<Tree> kept = ImmutableList.builder();
        double left = bytesPerSecond;
        for (Tree tree : trees) {
            if (left > 0) {
                kept.add(new Tree(Math.min(left, tree.bytesPerSecond()), tree.links()));
                left -= tree.bytesPerSecond();
            }
        }
        return new TreePacking(kept.build());
    }

    /** A line for each tree: {@code 4.000 MB/s: X-Y Y-Z}. */
    public String describe(Scenario scenario) {
        return trees.stream()
                .map(tree -> String.format(Locale.ROOT, "%.3f MB/s: ", tree.bytesPerSecond() / 1e6)
                        + tree.links().stream().map(scenario::pairName).collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }
}
