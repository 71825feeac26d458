package org.robber.cli.probe;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robber.Communicator;
import org.robber.Operation;

/**
 * Measures the round trip and the rates between two groups of nodes, a pair of nodes on each lane. Real data go over the connections that copies use. All lanes
 * send at once, in rounds of doubled size, which let TCP find the rate of the line. The best round counts, by the time of its slowest lane: other work of the
 * machines makes rounds slower, never faster.
 */
final class LaneRates {
    private static final int FIRST_BYTES = 256 << 10;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int BUFFERS = 2;
    private static final int TRIPS = 9;

    /** Rounds that take less of the time do not count: a line may take a burst of data faster than its rate. */
    private static final double SHORTEST_ROUND = 0.125;

    /** Rounds that take this part of the time are not followed by longer ones. */
    private static final double LONG_ROUND = 0.25;

    private final Communicator lane;
    private final Communicator all;
    private final double seconds;
    private final ByteBuffer[] buffers = new ByteBuffer[BUFFERS];

    /**
     * The result.
     *
     * @param roundTripSeconds of a small call
     * @param forward bytes a second from the first nodes of the lanes to the second, in all
     * @param back the other way
     */
    record Measured(double roundTripSeconds, double forward, double back) {
        static final Measured NOTHING = new Measured(0, 0, 0);

        byte[] toBytes() {
            return ByteBuffer.allocate(3 * Double.BYTES)
                    .putDouble(roundTripSeconds)
                    .putDouble(forward)
                    .putDouble(back)
                    .array();
        }

        static Measured fromBytes(ByteBuffer bytes) {
            return new Measured(bytes.getDouble(), bytes.getDouble(), bytes.getDouble());
        }
    }

    /**
     * Of a node on a lane.
     *
     * @param lane this node and its partner
     * @param all the nodes of all lanes
     * @param time about how long a direction takes
     */
    LaneRates(Communicator lane, Communicator all, Duration time) {
        this.lane = lane;
        this.all = all;
        this.seconds = time.toNanos() / 1e9;
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = ByteBuffer.allocateDirect(BUFFER_BYTES);
        }
    }

    /** Measures; the result is the same on all nodes of all lanes. */
    Measured measure() {
        double roundTrip = roundTrip();
        return new Measured(roundTrip, rate(0, roundTrip), rate(1, roundTrip));
    }

    /** A barrier of two nodes takes the time of one way. So two of them, one after the other, take that of both. */
    private double roundTrip() {
        long best = Long.MAX_VALUE;
        for (int trip = 0; trip <= TRIPS; trip++) {
            long start = System.nanoTime();
            lane.barrier();
            lane.barrier();
            long nanos = System.nanoTime() - start;
            // the first one makes the connection
            best = trip == 0 ? best : Math.min(best, nanos);
        }
        return largest(best / 1e9);
    }

    private double rate(int root, double roundTrip) {
        long bytes = FIRST_BYTES;
        double best = 0;
        double spent = 0;
        while (true) {
            all.barrier();
            long start = System.nanoTime();
            send(bytes, root);
            double took = largest((System.nanoTime() - start) / 1e9);
            spent += took;
            if (took >= SHORTEST_ROUND * seconds) {
                // Sending ends when the other side has confirmed everything: that is a round trip after the last byte
                // has left.
                best = Math.max(best, bytes * (all.size() / 2) / Math.max(took - roundTrip, took / 2));
            }
            if (took < LONG_ROUND * seconds) {
                bytes *= 2;
            } else if (spent >= seconds) {
                return best;
            }
        }
    }

    /** Sends through a few buffers: the next is under way before the last has come. */
    private void send(long bytes, int root) {
        Deque<Operation<Void>> underWay = new ArrayDeque<>();
        int next = 0;
        for (long left = bytes; left > 0; left -= BUFFER_BYTES) {
            if (underWay.size() == BUFFERS) {
                underWay.remove().await();
            }
            ByteBuffer buffer = buffers[next];
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            underWay.add(lane.iBcast(buffer, root));
            next = (next + 1) % BUFFERS;
        }
        underWay.forEach(Operation::await);
    }

    /** The largest of all nodes' values, on all nodes. */
    private double largest(double value) {
        double[] values = new double[all.size()];
        all.allGather(new double[] {value}, values);
        double most = 0;
        for (double one : values) {
            most = Math.max(most, one);
        }
        return most;
    }
}
