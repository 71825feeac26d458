package org.robber.transport.rankzero;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.ClusterBy;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.MeasureRoundTrip;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.sockets.RoundTripTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the clusters of a job whose nodes are all there. Measures round-trip times only if that decides something: between several subnets whose nodes
 * name no cluster, or between hosts if that is asked for. One node of each subnet measures. Belongs to one event loop.
 */
final class ClusterSearch {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSearch.class);
    private static final long ROUND_LIMIT_SECONDS = 3;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Whereabouts nodes;
    private final Network network;
    private final Consumer<Found> done;
    private final List<@Nullable String> given = new ArrayList<>();
    private final int[] placeOf;
    /** The first node of each place. */
    private final List<Integer> first = new ArrayList<>();

    private final ClusterBy by;
    private final RoundTripGroups groups;
    private final long endNanos = System.nanoTime() + LIMIT_NANOS;

    private int round;
    private int landmark;
    private long[] micros = {};
    private int missing;
    private boolean over;

    /** What a search needs of the connections. */
    interface Network {
        /** Asks a node, which may be rank 0, to measure. It answers by {@link ClusterSearch#measured}, or not at all. */
        void ask(int rank, MeasureRoundTrip question);

        /** Runs this on the event loop after some time. */
        void later(long seconds, Runnable work);
    }

    /**
     * The result.
     *
     * @param clusters of all nodes, by rank
     * @param how they were found, for people
     */
    record Found(List<String> clusters, String how) {}

    /**
     * A search that {@link #start} begins.
     *
     * @param rounds of earlier searches among the same nodes: answers in those do not count here
     * @param done told the result, once, and never before {@link #start}
     */
    ClusterSearch(ClusterBy by, Whereabouts nodes, int rounds, Network network, Consumer<Found> done) {
        this.by = by;
        this.nodes = nodes;
        this.round = rounds;
        this.network = network;
        this.done = done;
        this.placeOf = new int[nodes.size()];
        boolean ignoresNames = by == ClusterBy.SUBNET || by == ClusterBy.RTT;
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int rank = 0; rank < nodes.size(); rank++) {
            String name = ignoresNames ? null : nodes.nodes().get(rank).cluster();
            given.add(name);
            if (name == null) {
                Integer place = places.putIfAbsent(place(rank), places.size());
                if (place == null) {
                    first.add(rank);
                }
                placeOf[rank] = place == null ? first.size() - 1 : place;
            }
        }
        this.groups = new RoundTripGroups(Math.max(1, first.size()));
    }

    private String place(int rank) {
        return by == ClusterBy.RTT ? nodes.address(rank).getHostAddress() : ClusterNames.subnet(nodes.address(rank));
    }

    /** @throws RobberException if a node has to name its cluster, and does not */
    void start() {
        if (by == ClusterBy.ENV || by == ClusterBy.SWITCH) {
            checkNames();
        }
        if (by == ClusterBy.SUBNET || first.size() <= 1) {
            end(placeOf, how(""));
        } else {
            nextRound();
        }
    }

    private void checkNames() {
        List<Integer> nameless = new ArrayList<>();
        for (int rank = 0; rank < given.size(); rank++) {
            if (given.get(rank) == null) {
                nameless.add(rank);
            }
        }
        if (!nameless.isEmpty()) {
            String cure = by == ClusterBy.ENV
                    ? "set ROBBER_CLUSTER for each node, or use another --cluster-by"
                    : "give all nodes --cluster-by=switch";
            throw ControlFailures.connecting(
                    Reason.USAGE,
                    nameless,
                    "--cluster-by=" + (by == ClusterBy.ENV ? "env" : "switch") + ", but "
                            + ControlFailures.ranks(nameless) + " named no cluster: " + cure);
        }
    }

    private void nextRound() {
        OptionalInt next = System.nanoTime() - endNanos < 0 ? groups.nextLandmark() : OptionalInt.empty();
        if (next.isEmpty()) {
            conclude();
            return;
        }
        landmark = next.getAsInt();
        micros = new long[first.size()];
        Arrays.fill(micros, RoundTripTimer.UNKNOWN_MICROS);
        missing = first.size() - 1;
        int current = ++round;
        int target = first.get(landmark);
        for (int place = 0; place < first.size(); place++) {
            if (place != landmark) {
                int rank = first.get(place);
                // Rank 0 and its neighbours reach each other at an address of their machine.
                String address = nodes.told(target, rank != 0);
                network.ask(
                        rank,
                        new MeasureRoundTrip(
                                current, address, nodes.nodes().get(target).dataPort()));
            }
        }
        network.later(ROUND_LIMIT_SECONDS, () -> {
            if (!over && round == current) {
                endRound();
            }
        });
    }

    /** A node has measured. */
    void measured(int rank, RoundTrip answer) {
        int place = first.indexOf(rank);
        if (over || answer.round() != round || place < 0 || micros[place] != RoundTripTimer.UNKNOWN_MICROS) {
            return;
        }
        micros[place] = answer.micros();
        if (--missing == 0) {
            endRound();
        }
    }

    private void endRound() {
        groups.measured(landmark, micros);
        nextRound();
    }

    /** Ends the search with what is known so far. */
    void conclude() {
        if (!over) {
            RoundTripGroups.Result result = groups.result();
            int[] groupOf =
                    Arrays.stream(placeOf).map(place -> result.groupOf()[place]).toArray();
            String how = how(result.text());
            LOG.info(
                    "{} found: {}", result.groups() == 1 ? "one cluster was" : result.groups() + " clusters were", how);
            end(groupOf, how);
        }
    }

    /** The search has no result any more. Returns how many rounds there were, in this search and in earlier ones. */
    int abandon() {
        over = true;
        return round;
    }

    private void end(int[] groupOf, String how) {
        over = true;
        done.accept(new Found(ClusterNames.of(given, groupOf), how));
    }

    private String how(String times) {
        long named = given.stream().filter(Objects::nonNull).count();
        if (named == given.size()) {
            return by == ClusterBy.SWITCH ? "switches, by Slurm" : "named by nodes";
        }
        String places = first.size()
                + (by == ClusterBy.RTT ? " address" : " subnet")
                + (first.size() == 1 ? "" : by == ClusterBy.RTT ? "es" : "s");
        return (named == 0 ? "" : named == 1 ? "1 node named its own; " : named + " nodes named theirs; ")
                + places
                + (times.isEmpty() ? "" : ", round trips of " + times);
    }
}
