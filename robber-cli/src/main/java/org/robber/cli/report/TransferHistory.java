package org.robber.cli.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * How many bytes nodes and links between clusters had received at some moments of a transfer: few enough to be drawn, however long it
 * takes. Thread-safe.
 */
public final class TransferHistory {

    /** Twice as many as a chart shows. */
    private static final int MOST_SAMPLES = 200;

    private static final int MOST_NODES_OF_CLUSTER = 24;

    private final List<Integer> clusterOf;
    private final List<List<Integer>> shownNodes = new ArrayList<>();
    private final List<Integer> receivers = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();

    /** How many calls make a sample, and how many have come since the last. */
    private int stride = 1;

    private int skipped;

    /** From one cluster to another, or within one; by number. */
    record Link(int from, int to) {}

    /**
     * Totals at a moment.
     *
     * @param seconds since the start of the transfer
     * @param nodes bytes received, by rank, of nodes that are shown
     * @param links bytes received
     */
    record Sample(double seconds, Map<Integer, Long> nodes, Map<Link, Long> links) {}

    /**
     * Nothing yet.
     *
     * @param clusterOf the number of the cluster of each rank
     * @param clusters how many there are
     * @param roots the ranks that have all the data from the beginning
     */
    public TransferHistory(List<Integer> clusterOf, int clusters, Collection<Integer> roots) {
        this.clusterOf = List.copyOf(clusterOf);
        for (int cluster = 0; cluster < clusters; cluster++) {
            int wanted = cluster;
            List<Integer> members = IntStream.range(0, clusterOf.size())
                    .filter(rank -> clusterOf.get(rank) == wanted && !roots.contains(rank))
                    .boxed()
                    .toList();
            receivers.add(members.size());
            int shown = Math.min(members.size(), MOST_NODES_OF_CLUSTER);
            // of many nodes some, evenly chosen
            shownNodes.add(IntStream.range(0, shown)
                    .mapToObj(i -> members.get((int) ((long) i * members.size() / shown)))
                    .toList());
        }
    }

    /**
     * A moment.
     *
     * @param seconds since the start of the transfer, later than before
     * @param received the bytes that a rank has received from each cluster
     */
    public synchronized void add(double seconds, IntFunction<Map<Integer, Long>> received) {
        skipped++;
        if (skipped < stride) {
            return;
        }
        skipped = 0;
        samples.add(sample(seconds, received));
        if (samples.size() > MOST_SAMPLES) {
            // Every other goes, not the first; from now on half as many come.
            for (int i = samples.size() - 2; i > 0; i -= 2) {
                samples.remove(i);
            }
            stride *= 2;
        }
    }

    /** The end of the transfer: what is known of later moments is the same. */
    public synchronized void end(double seconds, IntFunction<Map<Integer, Long>> received) {
        samples.removeIf(sample -> sample.seconds > 0 && sample.seconds >= seconds);
        samples.add(sample(seconds, received));
    }

    private Sample sample(double seconds, IntFunction<Map<Integer, Long>> received) {
        Map<Integer, Long> nodes = new HashMap<>();
        Map<Link, Long> links = new HashMap<>();
        Sample last = samples.isEmpty() ? new Sample(0, Map.of(), Map.of()) : samples.get(samples.size() - 1);
        for (int rank = 0; rank < clusterOf.size(); rank++) {
            int to = clusterOf.get(rank);
            long ofNode = 0;
            for (Map.Entry<Integer, Long> from : received.apply(rank).entrySet()) {
                links.merge(new Link(from.getKey(), to), from.getValue(), Long::sum);
                ofNode += from.getValue();
            }
            if (shownNodes.get(to).contains(rank)) {
                nodes.put(rank, ofNode);
            }
        }
        // Of a lost node nothing more is heard, which takes nothing back.
        last.nodes.forEach((rank, bytes) -> nodes.merge(rank, bytes, Math::max));
        last.links.forEach((link, bytes) -> links.merge(link, bytes, Math::max));
        return new Sample(seconds, nodes, links);
    }

    /** The moments, in order. */
    synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** The nodes of a cluster whose bytes are kept. */
    List<Integer> shownNodes(int cluster) {
        return Collections.unmodifiableList(shownNodes.get(cluster));
    }

    /** The nodes of a cluster, without the root, which has the data. */
    int receivers(int cluster) {
        return receivers.get(cluster);
    }
}
