package org.robber.emulation.bound;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Maximum flows from one source in a network with real capacities, by Dinic's algorithm: augment along all shortest paths,
 * then along all that are one arc longer, and so on. Infinite capacities are allowed.
 */
final class MaxFlow {
    /** A residual capacity below this share of the largest finite capacity is rounding. */
    private static final double ROUNDING = 1e-13;

    private static final int NONE = -1;

    private final int source;
    private final int[] firstArc;
    private int[] nextArc = new int[16];
    private int[] head = new int[16];
    private double[] capacity = new double[16];
    private double[] left = new double[16];
    private int arcs;
    private double nothing;

    private final int[] distance;
    private final int[] current;
    private final int[] queue;

    /** The arcs from the source to the node that a search has reached. */
    private final int[] path;

    MaxFlow(int nodes, int source) {
        checkArgument(source >= 0 && source < nodes, "source %s of %s", source, nodes);
        this.source = source;
        this.firstArc = new int[nodes];
        Arrays.fill(firstArc, NONE);
        this.distance = new int[nodes];
        this.current = new int[nodes];
        this.queue = new int[nodes];
        this.path = new int[nodes];
    }

    /** Adds an arc and returns its number, for {@link #setCapacity}. */
    int addArc(int from, int to, double arcCapacity) {
        int arc = half(from, to, arcCapacity);
        half(to, from, 0);
        return arc;
    }

    void setCapacity(int arc, double arcCapacity) {
        capacity[arc] = arcCapacity;
    }

    private int half(int from, int to, double arcCapacity) {
        if (arcs == head.length) {
            nextArc = Arrays.copyOf(nextArc, 2 * arcs);
            head = Arrays.copyOf(head, 2 * arcs);
            capacity = Arrays.copyOf(capacity, 2 * arcs);
            left = Arrays.copyOf(left, 2 * arcs);
        }
        head[arcs] = to;
        capacity[arcs] = arcCapacity;
        nextArc[arcs] = firstArc[from];
        firstArc[from] = arcs;
        return arcs++;
    }

    /** The maximum flow from the source to a sink; infinite if some path has no limit. */
    double to(int sink) {
        return to(sink, Double.POSITIVE_INFINITY);
    }

    /** The maximum flow from the source to a sink, or {@code enough} if there is that much. */
    double to(int sink, double enough) {
        checkArgument(sink != source, "the sink is the source");
        System.arraycopy(capacity, 0, left, 0, arcs);
        double largest = 0;
        for (int arc = 0; arc < arcs; arc++) {
            largest = Double.isInfinite(capacity[arc]) ? largest : Math.max(largest, capacity[arc]);
        }
        nothing = largest * ROUNDING;
        double flow = 0;
        while (flow < enough && measureDistances(sink)) {
            System.arraycopy(firstArc, 0, current, 0, firstArc.length);
            double more = push(sink, enough - flow);
            while (more > 0) {
                flow += more;
                if (Double.isInfinite(flow)) {
                    return flow;
                }
                more = flow < enough ? push(sink, enough - flow) : 0;
            }
        }
        return Math.min(flow, enough);
    }

    /** Whether a node is on the source's side of the {@linkplain #smallestSourceSide minimum cut}. */
    boolean isOnSourceSide(int node) {
        return distance[node] != NONE;
    }

    /** The source's side of the minimum cut, the smallest there is; after a flow that was less than enough. */
    BitSet smallestSourceSide() {
        BitSet side = new BitSet(distance.length);
        for (int node = 0; node < distance.length; node++) {
            side.set(node, isOnSourceSide(node));
        }
        return side;
    }

    /** The source's side of the minimum cut, the largest there is; after a flow to that sink that was less than enough. */
    BitSet largestSourceSide(int sink) {
        BitSet side = new BitSet(distance.length);
        side.set(0, distance.length);
        int tail = 0;
        queue[tail++] = sink;
        side.clear(sink);
        for (int next = 0; next < tail; next++) {
            for (int arc = firstArc[queue[next]]; arc != NONE; arc = nextArc[arc]) {
                // The other half of the arc leads here.
                if (left[arc ^ 1] > nothing && side.get(head[arc])) {
                    side.clear(head[arc]);
                    queue[tail++] = head[arc];
                }
            }
        }
        return side;
    }

    private boolean measureDistances(int sink) {
        Arrays.fill(distance, NONE);
        int tail = 0;
        queue[tail++] = source;
        distance[source] = 0;
        for (int next = 0; next < tail; next++) {
            int node = queue[next];
            for (int arc = firstArc[node]; arc != NONE; arc = nextArc[arc]) {
                if (left[arc] > nothing && distance[head[arc]] == NONE) {
                    distance[head[arc]] = distance[node] + 1;
                    queue[tail++] = head[arc];
                }
            }
        }
        return distance[sink] != NONE;
    }

    /** Sends up to so much along one shortest path. Paths may have as many arcs as there are nodes, so it does not call itself. */
    private double push(int sink, double most) {
        int length = 0;
        int node = source;
        while (node != sink) {
            int arc = usableArc(node);
            if (arc != NONE) {
                path[length++] = arc;
                node = head[arc];
            } else if (length > 0) {
                // A dead end: its arc is of no use any more.
                node = head[path[--length] ^ 1];
                current[node] = nextArc[current[node]];
            } else {
                return 0;
            }
        }
        double pushed = most;
        for (int i = 0; i < length; i++) {
            pushed = Math.min(pushed, left[path[i]]);
        }
        for (int i = 0; i < length; i++) {
            left[path[i]] -= pushed;
            left[path[i] ^ 1] += pushed;
        }
        return pushed;
    }

    /** The next arc of a node that leads away from the source and has room. */
    private int usableArc(int node) {
        int arc = current[node];
        while (arc != NONE && !(left[arc] > nothing && distance[head[arc]] == distance[node] + 1)) {
            arc = nextArc[arc];
        }
        current[node] = arc;
        return arc;
    }
}
