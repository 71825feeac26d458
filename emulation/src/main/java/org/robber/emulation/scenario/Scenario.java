package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * Clusters, the network between them, and how it changes.
 *
 * @param name for people and file names
 * @param description for people
 * @param origin where the numbers come from
 * @param root the sending node
 * @param clusters at least one
 * @param phases in order of time; the first begins at 0; all name the same links
 */
public record Scenario(
        String name,
        String description,
        Origin origin,
        NodePlace root,
        ImmutableList<ClusterSpec> clusters,
        ImmutableList<Phase> phases) {
    public Scenario {
        checkArgument(!clusters.isEmpty(), "no clusters");
        checkArgument(root.cluster() < clusters.size(), "root in cluster %s", root.cluster());
        checkArgument(root.index() < clusters.get(root.cluster()).nodes(), "root is node %s", root.index());
        checkArgument(!phases.isEmpty() && phases.get(0).atNanos() == 0, "no phase at 0");
        for (int i = 1; i < phases.size(); i++) {
            Phase before = phases.get(i - 1);
            Phase phase = phases.get(i);
            checkArgument(before.atNanos() < phase.atNanos(), "phase %s begins before the one before it", i);
            checkArgument(before.links().keySet().equals(phase.links().keySet()), "phase %s has other links", i);
        }
    }

    /** Number of nodes of all clusters. */
    public int nodeCount() {
        return clusters.stream().mapToInt(ClusterSpec::nodes).sum();
    }

    /** The rank of a node: ranks count through the clusters in order. */
    public int rankOf(NodePlace place) {
        int rank = place.index();
        for (ClusterSpec cluster : clusters.subList(0, place.cluster())) {
            rank += cluster.nodes();
        }
        return rank;
    }
}
