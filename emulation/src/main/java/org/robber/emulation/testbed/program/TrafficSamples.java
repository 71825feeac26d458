package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;

/** Bytes counted from a moment on, at equal distances in time. */
final class TrafficSamples {

    private final ImmutableSortedMap<ClusterPair, Long> crossedAtStart;
    private final List<Long> receivedAtStart;
    private final SortedMap<ClusterPair, List<Long>> links = new TreeMap<>();
    private final List<List<Long>> nodes = new ArrayList<>();
    private int count;

    TrafficSamples(ImmutableSortedMap<ClusterPair, Long> crossedBytes, List<Long> receivedBytes) {
        this.crossedAtStart = crossedBytes;
        this.receivedAtStart = receivedBytes;
        crossedBytes.keySet().forEach(pair -> links.put(pair, new ArrayList<>()));
        receivedBytes.forEach(unused -> nodes.add(new ArrayList<>()));
        add(crossedBytes, receivedBytes);
    }

    /** When the next is due, counted from the start. */
    long dueNanos() {
        return count * ProgramSupervisor.INTERVAL_NANOS;
    }

    void add(ImmutableSortedMap<ClusterPair, Long> crossedBytes, List<Long> receivedBytes) {
        links.forEach((pair, totals) -> totals.add(count(crossedBytes, pair) - count(crossedAtStart, pair)));
        for (int rank = 0; rank < nodes.size(); rank++) {
            nodes.get(rank).add(receivedBytes.get(rank) - receivedAtStart.get(rank));
        }
        count++;
    }

    private static long count(ImmutableSortedMap<ClusterPair, Long> bytes, ClusterPair pair) {
        return bytes.getOrDefault(pair, 0L);
    }

    Timeline timeline() {
        ImmutableList.Builder<ImmutableList<Long>> byNode = ImmutableList.builder();
        nodes.forEach(totals -> byNode.add(ImmutableList.copyOf(totals)));
        ImmutableSortedMap.Builder<ClusterPair, ImmutableList<Long>> byLink = ImmutableSortedMap.naturalOrder();
        links.forEach((pair, totals) -> byLink.put(pair, ImmutableList.copyOf(totals)));
        return new Timeline(ProgramSupervisor.INTERVAL_NANOS, byNode.build(), byLink.buildOrThrow());
    }
}
