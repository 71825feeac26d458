package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.robber.emulation.scenario.ClusterPair;

/**
 * Counts of packets so far.
 *
 * @param links for every ordered pair of clusters
 * @param refused packets dropped before or behind links, by reason
 */
public record WanCounts(ImmutableSortedMap<ClusterPair, Link> links, ImmutableSortedMap<String, Long> refused) {

    private static final String KEYWORD = "counts";
    private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();
    private static final Splitter VALUES = Splitter.on(',');

    /**
     * The packets of an ordered pair of clusters.
     *
     * @param deliveredBytes bytes of those that arrived, IP headers included
     * @param deliveredPackets those that arrived
     * @param droppedPackets those that found a queue full, at the link or at an access link
     * @param lostPackets those that the link's loss struck
     */
    public record Link(long deliveredBytes, long deliveredPackets, long droppedPackets, long lostPackets) {}

    /** The line that {@link #parse} reads: {@code counts 0-1:BYTES,PACKETS,DROPPED,LOST ... REASON:PACKETS ...}. */
    static String format(PacketCounters counters, int clusters) {
        StringBuilder line = new StringBuilder(KEYWORD);
        for (ClusterPair pair : ClusterPair.all(clusters)) {
            int link = pair.from() * clusters + pair.to();
            line.append(' ').append(pair.from()).append('-').append(pair.to()).append(':');
            line.append(counters.deliveredBytes[link]).append(',').append(counters.deliveredPackets[link]);
            line.append(',').append(counters.droppedPackets[link]);
            line.append(',').append(counters.lostPackets[link]);
        }
        for (DropReason reason : DropReason.values()) {
            line.append(' ').append(reason.name().toLowerCase(Locale.ROOT)).append(':');
            line.append(counters.refused(reason));
        }
        return line.toString();
    }

    /**
     * Reads the answer of the network.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static WanCounts parse(String line) {
        List<String> words = WORDS.splitToList(line);
        checkArgument(!words.isEmpty() && words.get(0).equals(KEYWORD), "not counts: %s", line);
        ImmutableSortedMap.Builder<ClusterPair, Link> links = ImmutableSortedMap.naturalOrder();
        ImmutableSortedMap.Builder<String, Long> refused = ImmutableSortedMap.naturalOrder();
        for (String word : words.subList(1, words.size())) {
            int colon = word.indexOf(':');
            checkArgument(colon > 0, "no value: %s", word);
            String key = word.substring(0, colon);
            long[] values = VALUES.splitToStream(word.substring(colon + 1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            int dash = key.indexOf('-');
            if (dash > 0) {
                checkArgument(values.length == 4, "not four values: %s", Arrays.toString(values));
                links.put(
                        new ClusterPair(
                                Integer.parseInt(key.substring(0, dash)), Integer.parseInt(key.substring(dash + 1))),
                        new Link(values[0], values[1], values[2], values[3]));
            } else {
                checkArgument(values.length == 1, "not one value: %s", Arrays.toString(values));
                refused.put(key, values[0]);
            }
        }
        return new WanCounts(links.buildOrThrow(), refused.buildOrThrow());
    }
}
