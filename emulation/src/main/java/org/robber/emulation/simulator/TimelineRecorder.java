package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;

/** Samples the bytes that nodes have received and links have carried, at equal distances in time. */
final class TimelineRecorder {
    /** Beyond this many samples, every second one is dropped and the distance doubled. */
    private static final int MOST_SAMPLES = 1 << 10;

    private static final int FEWEST_SAMPLES = 1 << 6;

    /** All samples have this many numbers at most, if that leaves enough samples. */
    private static final int MOST_NUMBERS = 1 << 21;

    private final ImmutableList<ClusterPair> pairs;
    private final Supplier<long[]> received;
    private final Supplier<long[]> crossed;
    private List<long[]> nodeSamples = new ArrayList<>();
    private List<long[]> linkSamples = new ArrayList<>();
    private long intervalNanos;

    /**
     * A recorder without samples.
     *
     * @param pairs the ends of the links
     * @param received gets the bytes that each node has received; a new array each time
     * @param crossed gets the bytes of each link, in the order of the pairs; a new array each time
     */
    TimelineRecorder(
            long intervalNanos, ImmutableList<ClusterPair> pairs, Supplier<long[]> received, Supplier<long[]> crossed) {
        this.intervalNanos = intervalNanos;
        this.pairs = pairs;
        this.received = received;
        this.crossed = crossed;
    }

    /** When the next sample is due. */
    long nextNanos() {
        return nodeSamples.size() * intervalNanos;
    }

    void sample() {
        long[] nodeBytes = received.get();
        nodeSamples.add(nodeBytes);
        linkSamples.add(crossed.get());
        int mostSamples = MOST_NUMBERS / (nodeBytes.length + pairs.size());
        if (nodeSamples.size() > Math.max(FEWEST_SAMPLES, Math.min(MOST_SAMPLES, mostSamples))) {
            nodeSamples = everySecond(nodeSamples);
            linkSamples = everySecond(linkSamples);
            intervalNanos *= 2;
        }
    }

    private static <T> List<T> everySecond(List<T> samples) {
        List<T> kept = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += 2) {
            kept.add(samples.get(i));
        }
        return kept;
    }

    /** All samples so far, by node and by link. */
    Timeline timeline() {
        int nodes = nodeSamples.get(0).length;
        ImmutableList.Builder<ImmutableList<Long>> nodeBytes = ImmutableList.builderWithExpectedSize(nodes);
        for (int node = 0; node < nodes; node++) {
            nodeBytes.add(column(nodeSamples, node));
        }
        ImmutableSortedMap.Builder<ClusterPair, ImmutableList<Long>> linkBytes = ImmutableSortedMap.naturalOrder();
        for (int place = 0; place < pairs.size(); place++) {
            linkBytes.put(pairs.get(place), column(linkSamples, place));
        }
        return new Timeline(intervalNanos, nodeBytes.build(), linkBytes.buildOrThrow());
    }

    private static ImmutableList<Long> column(List<long[]> samples, int place) {
        ImmutableList.Builder<Long> bytes = ImmutableList.builderWithExpectedSize(samples.size());
        for (long[] sample : samples) {
            bytes.add(sample[place]);
        }
        return bytes.build();
    }
}
