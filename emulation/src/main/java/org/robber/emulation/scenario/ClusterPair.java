package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

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

    @Override
    public int compareTo(ClusterPair other) {
        return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
    }
}
