package org.robber.transport.link.pace;

import org.robber.transport.sockets.TcpInfo;

/**
 * How fast a connection sends that yields to others, from the delay that it sees: the rule of LEDBAT (RFC 6817). The round trip beyond the
 * least is the queue of the line. The connection keeps that queue at a target, and halves its window after a loss. The target is the rise
 * of the round trip at which HyStart++ (RFC 9406) takes a line for full. Plain TCP makes a longer queue, so it keeps its rate.
 *
 * <p>LEDBAT changes its window by packets, which takes minutes on a long line. Here the window changes by shares. At the target it is
 * corrected by half of what is missing; while there is no queue, each step is twice the one before, up to a half.
 */
final class DelayRule {
    private static final double LEAST_TARGET_MICROS = 4_000;
    private static final double MOST_TARGET_MICROS = 16_000;
    private static final double TARGET_SHARE = 1.0 / 8;

    /** As many packets as a new connection may send (RFC 6928). */
    private static final int FIRST_PACKETS = 10;

    /** The least, so that delay is still measured (MIN_CWND of RFC 6817). */
    private static final int LEAST_PACKETS = 2;

    private static final double MOST_STEP = 0.5;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private double windowBytes;
    private double step = MOST_STEP;
    private long retransmissions;
    private long acknowledgedBytes;
    private long lastNanos;

    /** What the connection may send a second until this is asked again, a round trip later; 0: no round trip is known yet. */
    long bytesPerSecond(TcpInfo info, long nowNanos) {
        double least = info.leastRoundTripMicros();
        if (least == 0) {
            return 0;
        }
        double roundTrip = Math.max(least, (double) info.roundTripMicros());
        if (windowBytes == 0) {
            windowBytes = (double) FIRST_PACKETS * info.segmentBytes();
        } else {
            double used = (info.acknowledgedBytes() - acknowledgedBytes)
                    * (roundTrip * NANOS_PER_MICRO / Math.max(1, nowNanos - lastNanos));
            change(least, roundTrip - least, info.retransmissions() > retransmissions, 2 * used >= windowBytes);
        }
        windowBytes = Math.max(windowBytes, (double) LEAST_PACKETS * info.segmentBytes());
        retransmissions = info.retransmissions();
        acknowledgedBytes = info.acknowledgedBytes();
        lastNanos = nowNanos;
        return (long) (windowBytes * MICROS_PER_SECOND / roundTrip);
    }

    /** A window that is not used says nothing about the line, so it does not grow. */
    private void change(double leastMicros, double queueMicros, boolean lost, boolean isUsed) {
        double targetMicros = Math.min(MOST_TARGET_MICROS, Math.max(LEAST_TARGET_MICROS, leastMicros * TARGET_SHARE));
        double missing = (targetMicros - queueMicros) / leastMicros / 2;
        if (lost) {
            windowBytes *= 1 - MOST_STEP;
            step = smallStep(targetMicros / leastMicros);
        } else if (queueMicros < targetMicros / 2) {
            windowBytes *= isUsed ? 1 + step : 1;
            step = Math.min(MOST_STEP, 2 * step);
        } else {
            windowBytes *= 1 + Math.max(-MOST_STEP, isUsed ? missing : Math.min(0, missing));
            step = smallStep(targetMicros / leastMicros);
        }
    }

    private static double smallStep(double targetShare) {
        return Math.min(MOST_STEP, targetShare / 2);
    }
}
