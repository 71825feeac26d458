package org.robber.emulation.testbed.wan;

import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/** The number of packets that a network must be able to hold: all large ones that fit its queues and delays, and as many small ones. */
final class PacketBudget {

    private static final double NANOS_PER_SECOND = 1e9;
    /** Assumed rate of a link without one, in bytes per second: more than the network can move. */
    private static final double FASTEST = 500e6;

    private static final long MIN_PACKETS = 1024;
    private static final long MAX_BYTES = 1L << 30;

    private PacketBudget() {}

    /** For all phases of a scenario; bounded by 1 GiB. */
    static int of(Scenario scenario, int mtu) {
        long most = 0;
        for (Phase phase : scenario.phases()) {
            long bytes = 0;
            for (LinkSpec link : phase.links().values()) {
                bytes += bytes(link.bytesPerSecond(), link.delayNanos(), mtu);
            }
            most = Math.max(most, bytes);
        }
        for (ClusterSpec cluster : scenario.clusters()) {
            most += bytes(cluster.accessUp(), 0, mtu) + bytes(cluster.accessDown(), 0, mtu);
        }
        long packets = Math.max(MIN_PACKETS, 2 * most / mtu);
        return (int) Math.min(packets, MAX_BYTES / mtu);
    }

    private static long bytes(double rate, long delayNanos, int mtu) {
        double bounded = Math.min(rate, FASTEST);
        return QueueLimits.bytes(bounded, delayNanos, mtu) + (long) (bounded * delayNanos / NANOS_PER_SECOND);
    }
}
