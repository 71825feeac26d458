package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.util.Collections;
import java.util.regex.Pattern;

/**
 * A cluster and its limits, all in bytes per second; {@link Double#POSITIVE_INFINITY} where there is none.
 *
 * @param name without {@code -}, which separates two clusters in the name of a link
 * @param nodes number of nodes, at least 1
 * @param accessUp rate of all nodes together to other clusters
 * @param accessDown rate of all nodes together from other clusters
 * @param nodeUp what the card of each node sends, by its index
 * @param nodeDown what the card of each node receives, by its index
 * @param nic which traffic passes the cards
 * @param lanUp what a node sends inside the cluster
 * @param lanDown what a node receives inside the cluster
 * @param lan what all nodes together send inside the cluster
 */
public record ClusterSpec(
        String name,
        int nodes,
        double accessUp,
        double accessDown,
        ImmutableList<Double> nodeUp,
        ImmutableList<Double> nodeDown,
        NicScope nic,
        double lanUp,
        double lanDown,
        double lan) {
    private static final Pattern NAME = Pattern.compile("[^-/\\\\\\s\\p{Cntrl}]+");

    public ClusterSpec {
        checkArgument(!name.isEmpty() && name.indexOf('-') < 0, "name: %s", name);
        checkArgument(nodes >= 1, "nodes: %s", nodes);
        checkArgument(nodeUp.size() == nodes && nodeDown.size() == nodes, "cards of %s nodes", nodes);
    }

    /** A cluster whose only limits are the cards of its nodes, which all have this rate. */
    public static ClusterSpec ofCards(String name, int nodes, double cardBytesPerSecond) {
        ImmutableList<Double> cards = ImmutableList.copyOf(Collections.nCopies(nodes, cardBytesPerSecond));
        return new ClusterSpec(
                name,
                nodes,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                cards,
                cards,
                NicScope.ALL,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
    }

    /** Whether a cluster in a scenario file may have this name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * The same cluster with another number of nodes: the cards of the first ones, and from the beginning again where there
     * are more than before.
     *
     * @param count at least 1
     */
    public ClusterSpec withNodes(int count) {
        return new ClusterSpec(
                name,
                count,
                accessUp,
                accessDown,
                cycled(nodeUp, count),
                cycled(nodeDown, count),
                nic,
                lanUp,
                lanDown,
                lan);
    }

    private static ImmutableList<Double> cycled(ImmutableList<Double> values, int count) {
        checkArgument(count >= 1, "nodes: %s", count);
        return ImmutableList.copyOf(Iterables.limit(Iterables.cycle(values), count));
    }
}
