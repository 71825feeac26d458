package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;

/** Samples what nodes have received and what has crossed, at equal distances, as time passes. */
final class TimelineRecorder {
    /** Beyond this many samples, every second one is dropped and the distance doubled. */
    private static final int MOST_SAMPLES = 1 << 10;

    private final Supplier<long[]> received;
    private final Supplier<ImmutableSortedMap<ClusterPair, Long>> crossed;
    private List<long[]> nodeSamples = new ArrayList<>();
    private List<ImmutableSortedMap<ClusterPair, Long>> linkSamples = new ArrayList<>();
    private long intervalNanos;

    /**
     * A recorder without samples.
     *
     * @param received what each node has received so far; a new array each time
     * @param crossed what has crossed each link so far
     */
    TimelineRecorder(
            long intervalNanos, Supplier<long[]> received, Supplier<ImmutableSortedMap<ClusterPair, Long>> crossed) {
        this.intervalNanos = intervalNanos;
        this.received = received;
        this.crossed = crossed;
    }

    /** When the next sample is due. */
    long nextNanos() {
        return nodeSamples.size() * intervalNanos;
    }

    void sample() {
        nodeSamples.add(received.get());
        linkSamples.add(crossed.get());
        if (nodeSamples.size() > MOST_SAMPLES) {
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
            ImmutableList.Builder<Long> bytes = ImmutableList.builderWithExpectedSize(nodeSamples.size());
            for (long[] sample : nodeSamples) {
                bytes.add(sample[node]);
            }
            nodeBytes.add(bytes.build());
        }
        ImmutableSortedMap.Builder<ClusterPair, ImmutableList<Long>> linkBytes = ImmutableSortedMap.naturalOrder();
        for (ClusterPair pair : linkSamples.get(0).keySet()) {
            ImmutableList.Builder<Long> bytes = ImmutableList.builderWithExpectedSize(linkSamples.size());
            for (ImmutableSortedMap<ClusterPair, Long> sample : linkSamples) {
                bytes.add(sample.getOrDefault(pair, 0L));
            }
            linkBytes.put(pair, bytes.build());
        }
        return new Timeline(intervalNanos, nodeBytes.build(), linkBytes.buildOrThrow());
    }
}
