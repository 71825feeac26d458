package org.robber.transport.rankzero;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Groups places by the round-trip times between them. Some places are landmarks, to which all others measure. Each next landmark is the place that
 * is farthest from all before it (Gonzalez 1985), until none is farther than a local network is wide. So k places in c groups take about k * c
 * measurements, and never more than k * {@value #MOST_LANDMARKS}.
 *
 * <p>Then places are joined by single linkage (Sibson 1973): the nearest first. The first gap in the sorted times ends this: a time that is
 * {@value #GAP} times as long as the one before it. Times below {@value #LOCAL_MICROS} us count as equal: light needs that for 100 km of fibre and back.
 * Not thread-safe.
 */
final class RoundTripGroups {
    /** More groups than this are not told apart from single places that are far from all others. */
    static final int MOST_LANDMARKS = 32;

    static final long LOCAL_MICROS = 1000;
    static final int GAP = 3;

    private final int places;
    private final long[] nearestMicros;
    private final List<Integer> landmarks = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();

    /** @param micros at least {@link #LOCAL_MICROS} */
    private record Edge(int from, int to, long micros) {}

    /**
     * The result.
     *
     * @param groupOf of each place; groups are numbered by their first place
     * @param groups how many
     * @param insideMicros longest time over which places of a group were joined, 0 if none were
     * @param betweenMicros shortest time between two groups; {@link Long#MAX_VALUE} if none is known
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared or copied
    record Result(int[] groupOf, int groups, long insideMicros, long betweenMicros) {
        /** For people. */
        String text() {
            return (insideMicros == 0 ? "" : "at most " + millis(insideMicros) + " inside")
                    + (betweenMicros == Long.MAX_VALUE
                            ? ""
                            : (insideMicros == 0 ? "" : ", ") + "at least " + millis(betweenMicros) + " between");
        }

        private static String millis(long micros) {
            return micros <= LOCAL_MICROS ? "1 ms" : String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
        }
    }

    /** @param places how many, at least 1 */
    RoundTripGroups(int places) {
        this.places = places;
        this.nearestMicros = new long[places];
        Arrays.fill(nearestMicros, Long.MAX_VALUE);
    }

    /** The place that all others have to measure to; empty if enough is known. The same until {@link #measured}. */
    OptionalInt nextLandmark() {
        if (landmarks.isEmpty()) {
            return OptionalInt.of(0);
        }
        int farthest = 0;
        for (int place = 1; place < places; place++) {
            farthest = nearestMicros[place] > nearestMicros[farthest] ? place : farthest;
        }
        return nearestMicros[farthest] <= LOCAL_MICROS || landmarks.size() == MOST_LANDMARKS
                ? OptionalInt.empty()
                : OptionalInt.of(farthest);
    }

    /**
     * The times to the next landmark are known.
     *
     * @param micros of each place; {@link Long#MAX_VALUE} where it is not known; that of the landmark itself does not count
     */
    void measured(int landmark, long[] micros) {
        landmarks.add(landmark);
        nearestMicros[landmark] = 0;
        for (int place = 0; place < places; place++) {
            if (place != landmark && micros[place] < Long.MAX_VALUE) {
                long time = Math.max(LOCAL_MICROS, micros[place]);
                nearestMicros[place] = Math.min(nearestMicros[place], time);
                edges.add(new Edge(place, landmark, time));
            }
        }
    }

    /** The groups by what is known. Places that are near no other one are groups of their own. */
    Result result() {
        edges.sort(Comparator.comparingLong(Edge::micros));
        int[] parents = new int[places];
        Arrays.setAll(parents, place -> place);
        long inside = 0;
        long between = Long.MAX_VALUE;
        for (Edge edge : edges) {
            int from = find(parents, edge.from);
            int to = find(parents, edge.to);
            if (from == to) {
                continue;
            }
            if (edge.micros >= GAP * Math.max(inside, LOCAL_MICROS)) {
                between = edge.micros;
                break;
            }
            inside = edge.micros;
            parents[Math.max(from, to)] = Math.min(from, to);
        }
        int[] groupOf = new int[places];
        int groups = 0;
        for (int place = 0; place < places; place++) {
            int first = find(parents, place);
            groupOf[place] = first == place ? groups++ : groupOf[first];
        }
        return new Result(groupOf, groups, inside, between);
    }

    private static int find(int[] parents, int place) {
        int root = place;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }
}
