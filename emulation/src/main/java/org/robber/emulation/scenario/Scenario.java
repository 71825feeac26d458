package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.core.topology.Topology;

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
        checkArgument(
                clusters.stream().map(ClusterSpec::name).distinct().count() == clusters.size(),
                "two clusters of one name");
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

    /**
     * The same scenario with another number of nodes in each cluster. Limits of whole clusters stay as they are. Limits of
     * nodes are those of the first nodes; where there are more nodes than before, they begin again with the first. The
     * root stays in its cluster, with its index modulo the new number.
     *
     * @param perCluster at least 1
     */
    public Scenario withNodes(int perCluster) {
        return new Scenario(
                name,
                description,
                origin,
                new NodePlace(root.cluster(), root.index() % perCluster),
                clusters.stream()
                        .map(cluster -> cluster.withNodes(perCluster))
                        .collect(ImmutableList.toImmutableList()),
                phases);
    }

    /** The same scenario, with the network of one of its phases for ever. */
    public Scenario steadyAs(int phase) {
        return new Scenario(
                name,
                description,
                origin,
                root,
                clusters,
                ImmutableList.of(new Phase(0, phases.get(phase).links())));
    }

    /** The same scenario with another name. */
    public Scenario named(String newName) {
        return new Scenario(newName, description, origin, root, clusters, phases);
    }

    /** The name of a direction in scenario files: {@code A-B}. */
    public String pairName(ClusterPair pair) {
        return clusters.get(pair.from()).name() + "-" + clusters.get(pair.to()).name();
    }

    /** The name of a node in scenario files: {@code A/0}. */
    public String nodeName(NodePlace place) {
        return clusters.get(place.cluster()).name() + "/" + place.index();
    }

    /** Number of nodes of all clusters. */
    public int nodeCount() {
        return clusters.stream().mapToInt(ClusterSpec::nodes).sum();
    }

    /** The node of a rank: the inverse of {@link #rankOf}. */
    public NodePlace placeOf(int rank) {
        int left = rank;
        for (int i = 0; i < clusters.size(); i++) {
            if (left < clusters.get(i).nodes()) {
                return new NodePlace(i, left);
            }
            left -= clusters.get(i).nodes();
        }
        throw new IllegalArgumentException("rank " + rank + " of " + nodeCount());
    }

    /** The nodes and their clusters as strategies know them. */
    public Topology topology() {
        List<String> clusterNameOfRank = new ArrayList<>();
        for (ClusterSpec cluster : clusters) {
            clusterNameOfRank.addAll(Collections.nCopies(cluster.nodes(), cluster.name()));
        }
        return Topology.of(clusterNameOfRank);
    }

    /** Whether a phase lets a link pass nothing. */
    public boolean hasLinksThatStop() {
        return phases.stream()
                .skip(1)
                .anyMatch(phase -> phase.links().values().stream().anyMatch(link -> link.bytesPerSecond() == 0));
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
