package org.robber.emulation.simulator.fault;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.emulation.scenario.ClusterPair;

/** Something that goes wrong at a moment. Times count from the start of the transfer. */
public sealed interface Fault {

    /** When it happens. */
    long atNanos();

    /** The node dies. Its peers notice after {@link FaultPlan#detectionNanos}; data that it has sent arrive. */
    record Crash(long atNanos, int rank) implements Fault {
        public Crash {
            checkArgument(atNanos >= 0, "atNanos: %s", atNanos);
        }
    }

    /**
     * The node dies and comes back after a while, with the pieces that it had, or with none of them. The others take it for a
     * node that lost its connections.
     */
    record Restart(long atNanos, int rank, long forNanos, boolean keeps) implements Fault {
        public Restart {
            checkArgument(atNanos >= 0 && forNanos >= 0, "at %s for %s", atNanos, forNanos);
        }
    }

    /** The connection of two nodes breaks, if there is one, and is replaced after a while. */
    record Cut(long atNanos, int rank, int otherRank, long forNanos) implements Fault {
        public Cut {
            checkArgument(atNanos >= 0 && forNanos >= 0, "at %s for %s", atNanos, forNanos);
        }
    }

    /** The node handles and sends nothing for a while, as if stopped by a signal; then it continues. */
    record Stall(long atNanos, int rank, long forNanos) implements Fault {
        public Stall {
            checkArgument(atNanos >= 0 && forNanos >= 0, "at %s for %s", atNanos, forNanos);
        }
    }

    /** The node's card has another rate in both directions for a while. */
    record SlowDown(long atNanos, int rank, long forNanos, double bytesPerSecond) implements Fault {
        public SlowDown {
            checkArgument(atNanos >= 0 && forNanos >= 0, "at %s for %s", atNanos, forNanos);
            checkArgument(bytesPerSecond >= 0, "bytesPerSecond: %s", bytesPerSecond);
        }
    }

    /** One direction of a wide-area link passes nothing for a while; data on their way arrive. */
    record Partition(long atNanos, ClusterPair pair, long forNanos) implements Fault {
        public Partition {
            checkArgument(atNanos >= 0 && forNanos >= 0, "at %s for %s", atNanos, forNanos);
        }
    }
}
