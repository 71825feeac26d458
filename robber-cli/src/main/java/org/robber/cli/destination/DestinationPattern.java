package org.robber.cli.destination;

import org.robber.Communicator;

/**
 * A path of copies, or of parts of a source, in which {@code {rank}}, {@code {cluster}} and {@code {node}} differ from node to
 * node. So may {@code {host}}, unless nodes share a machine.
 */
public final class DestinationPattern {

    private DestinationPattern() {}

    /** Whether there is something to put in. */
    public static boolean isPattern(String destination) {
        return destination.contains("{rank}") || destination.contains("{cluster}") || destination.contains("{node}");
    }

    /**
     * A pattern with a place of its own for each node inside of a folder; unless it is a pattern already.
     *
     * @param file whether that place is a file; else it is a folder, even if the source is a single file
     */
    public static String perNode(String destination, boolean file) {
        return isPattern(destination)
                ? destination
                : (destination.endsWith("/") ? destination : destination + "/") + (file ? "{node}" : "{node}/");
    }

    /** The place of this node. */
    public static String resolve(String pattern, Communicator world) {
        int rank = world.rank();
        return resolve(
                ofHost(pattern, world.hostName(rank)),
                rank,
                world.clusters().get(world.clusterOf(rank)),
                world.nodeName(rank));
    }

    /** The pattern for nodes of one host. */
    public static String ofHost(String pattern, String host) {
        return pattern.replace("{host}", host);
    }

    /** The place of this node. */
    public static String resolve(String pattern, int rank, String cluster, String node) {
        return pattern.replace("{rank}", Integer.toString(rank))
                .replace("{cluster}", cluster)
                .replace("{node}", node);
    }
}
