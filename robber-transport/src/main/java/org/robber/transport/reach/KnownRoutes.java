package org.robber.transport.reach;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage.Member;

/** What a node has learned about how it can reach others, so that what worked is tried first. Thread-safe. */
final class KnownRoutes {
    private final int rank;
    private final Supplier<List<Member>> everyone;
    private final Map<Integer, Route> byRank = new ConcurrentHashMap<>();
    private final Map<String, Route> byCluster = new ConcurrentHashMap<>();
    private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
    private final Random random = new Random();

    /** @param everyone all nodes that this one knows, by rank */
    KnownRoutes(int rank, Supplier<List<Member>> everyone) {
        this.rank = rank;
        this.everyone = everyone;
    }

    /** How a node was reached. */
    enum Way {
        DIRECT,
        CALLED_BACK,
        RELAYED
    }

    /**
     * A way with its relay.
     *
     * @param relay the rank of the relay; -1 if there is none
     */
    record Route(Way way, int relay) {
        static final Route DIRECT = new Route(Way.DIRECT, -1);
        static final Route CALLED_BACK = new Route(Way.CALLED_BACK, -1);

        static Route through(int relay) {
            return new Route(Way.RELAYED, relay);
        }
    }

    /** A node was reached. */
    void reached(int peer, Route route) {
        byRank.put(peer, route);
        String cluster = cluster(peer);
        if (!cluster.isEmpty()) {
            byCluster.put(cluster, route);
        }
    }

    /** A node has connected to this one, without a relay. */
    void wasReachedBy(int peer) {
        Route earlier = byRank.get(peer);
        if (earlier == null || earlier.way() == Way.RELAYED) {
            byRank.put(peer, Route.CALLED_BACK);
        }
    }

    private String cluster(int peer) {
        List<Member> nodes = everyone.get();
        return peer < nodes.size() ? nodes.get(peer).cluster() : "";
    }

    /** How this node, or else another node of its cluster, was reached last; null if none was. */
    @Nullable
    Route to(int peer) {
        Route own = byRank.get(peer);
        return own != null ? own : byCluster.get(cluster(peer));
    }

    /** The node is lost to the job: it is no relay any more. */
    void lose(int peer) {
        lost.add(peer);
    }

    /**
     * The nodes that may be able to pass on bytes to another one, the most promising first: what worked, nodes that were reached, mates, then the rest.
     * Those that are alike are in random order, so that many nodes do not choose the same relay.
     */
    List<Integer> relaysTo(int peer) {
        Route known = to(peer);
        int size = everyone.get().size();
        List<Integer> nodes = new ArrayList<>(IntStream.range(0, size)
                .filter(node -> node != rank && node != peer && !lost.contains(node))
                .boxed()
                .toList());
        Collections.shuffle(nodes, random);
        // Routes change meanwhile, but a sort needs keys that stay.
        int[] hops = IntStream.range(0, size).map(node -> hopsTo(node, known)).toArray();
        nodes.sort(Comparator.comparingInt(node -> hops[node]));
        return nodes;
    }

    private int hopsTo(int node, @Nullable Route known) {
        if (known != null && known.relay() == node) {
            return 0;
        }
        Route route = byRank.get(node);
        if (route != null) {
            return route.way() == Way.RELAYED ? 4 : 1;
        }
        return cluster(node).equals(cluster(rank)) ? 2 : 3;
    }
}
