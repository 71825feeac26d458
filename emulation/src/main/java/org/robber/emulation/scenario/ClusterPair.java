package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * A direction between two clusters.
 *
 * @param from index of the sending cluster in {@link Scenario#clusters()}
 * @param to index of the receiving cluster, another one
 */
public record ClusterPair(int from, int to) implements Comparable<ClusterPair> {
    public ClusterPair {
        checkArgument(from >= 0 && to >= 0 && from != to, "from %s to %s", from, to);
    }

    /** All directions between so many clusters, in order. */
    public static ImmutableList<ClusterPair> all(int clusters) {
        ImmutableList.Builder<ClusterPair> pairs = ImmutableList.builder();
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    pairs.add(new ClusterPair(from, to));
                }
            }
        }
        return pairs.build();
    }

    /** The other direction. */
    public ClusterPair reversed() {
        return new ClusterPair(to, from);
    }

    @Override
    public int compareTo(ClusterPair other) {
        return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
    }
}
