package org.robber.emulation.simulator.network;

/**
 * The congestion window of a connection between clusters: slow start, then CUBIC (RFC 9438), which falls back to the speed of Reno
 * where that is faster. A segment that is marked, by a long queue or at random, means what a lost packet means to a real
 * connection. Nothing is sent twice, though. With a share p of random losses there are sqrt(1.5 / p) packets in a round trip
 * (Mathis et al., CCR 27(3), 1997), or more where CUBIC is faster.
 */
final class CongestionWindow {
    private static final double GROWTH = 0.4;
    private static final double DECREASE = 0.7;
    private static final double RENO_GROWTH = 3 * (1 - DECREASE) / (1 + DECREASE);
    private static final int LEAST_PACKETS = 2;

    /** Slow start ends when the round trip has grown by an eighth, within these limits (HyStart). */
    private static final long LEAST_RISE_NANOS = 4_000_000;

    private static final long MOST_RISE_NANOS = 16_000_000;

    /** The window of a connection that is idle for a round trip and so long is halved, once for each such time: the retransmission time-out of Linux. */
    private static final long IDLE_NANOS = 200_000_000;

    private final int packetBytes;
    private final double firstBytes;
    private final double maxBytes;

    private double bytes;
    private double thresholdBytes = Double.MAX_VALUE;
    private double plateauBytes;
    private double renoBytes;
    private double secondsToPlateau;
    private long epochNanos;
    private long leastRoundTripNanos = Long.MAX_VALUE;
    private long deafUntilNanos;
    private long lastSentNanos;

    CongestionWindow(int packetBytes, int firstPackets, long maxBytes) {
        this.packetBytes = packetBytes;
        this.firstBytes = (double) firstPackets * packetBytes;
        this.maxBytes = (double) maxBytes;
        this.bytes = firstBytes;
    }

    /** The bytes that may be on their way. */
    long bytes() {
        return (long) Math.max(packetBytes, Math.min(bytes, maxBytes));
    }

    /**
     * Something is sent.
     *
     * @param idle whether nothing is on its way
     */
    void send(boolean idle, long nowNanos) {
        if (idle && bytes > firstBytes) {
            long timeoutNanos = leastRoundTripNanos + IDLE_NANOS;
            long idleNanos = nowNanos - lastSentNanos;
            for (; idleNanos >= timeoutNanos && bytes > firstBytes; idleNanos -= timeoutNanos) {
                thresholdBytes = Math.max(thresholdBytes, 0.75 * bytes);
                bytes = Math.max(bytes / 2, firstBytes);
            }
        }
        lastSentNanos = nowNanos;
    }

    /**
     * A segment has arrived, a round trip after it was sent. The window grows only while it limits the connection; in slow start,
     * while half of it is in use.
     *
     * @param onTheWayBytes bytes on their way until now, the segment included
     */
    void acknowledged(Segment segment, long onTheWayBytes, long nowNanos) {
        long roundTripNanos = nowNanos - segment.sentNanos;
        leastRoundTripNanos = Math.min(leastRoundTripNanos, roundTripNanos);
        if (segment.marked) {
            if (segment.sentNanos >= deafUntilNanos) {
                shrink(nowNanos);
            }
        } else if (bytes < thresholdBytes) {
            if (2 * onTheWayBytes > bytes) {
                bytes = Math.min(maxBytes, bytes + segment.streamBytes);
                long riseNanos = Math.min(MOST_RISE_NANOS, Math.max(LEAST_RISE_NANOS, leastRoundTripNanos / 8));
                if (roundTripNanos > leastRoundTripNanos + riseNanos) {
                    thresholdBytes = bytes;
                    begin(bytes, nowNanos);
                }
            }
        } else if (onTheWayBytes + segment.streamBytes > bytes) {
            grow(segment.streamBytes, nowNanos);
        }
    }

    private void shrink(long nowNanos) {
        double before = bytes;
        bytes = Math.max((double) LEAST_PACKETS * packetBytes, bytes * DECREASE);
        thresholdBytes = bytes;
        begin(before, nowNanos);
        // Segments sent before now have met the same queue.
        deafUntilNanos = nowNanos;
    }

    private void begin(double newPlateauBytes, long nowNanos) {
        plateauBytes = newPlateauBytes;
        renoBytes = bytes;
        secondsToPlateau = StrictMath.cbrt((newPlateauBytes - bytes) / packetBytes / GROWTH);
        epochNanos = nowNanos;
    }

    private void grow(int ackedBytes, long nowNanos) {
        double t = (nowNanos + leastRoundTripNanos - epochNanos) / 1e9 - secondsToPlateau;
        double target = plateauBytes + GROWTH * t * t * t * packetBytes;
        // No more than half as much again in a round trip.
        double cubic = Math.min(0.5, Math.max(0, (target - bytes) / bytes)) * ackedBytes;
        renoBytes += RENO_GROWTH * packetBytes * ackedBytes / bytes;
        bytes = Math.min(maxBytes, Math.max(bytes + cubic, renoBytes));
    }
}
