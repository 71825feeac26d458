package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Processor time of the work of nodes. Costs of 0 mean unlimited processors.
 *
 * @param messageNanos processor time for each message or piece received
 * @param receivedByteNanos processor time for each byte of a piece received: copied, verified, stored
 * @param sentByteNanos processor time for each byte of a piece sent
 * @param coldNanos during this first processor time of each node code is loaded and compiled: work takes {@value #COLD_FACTOR}
 *     times as long
 * @param nodesPerComputer nodes, in the order of their ranks, that share a computer
 * @param coresPerComputer processors of a computer; a node uses one at a time
 */
public record NodeCosts(
        double messageNanos,
        double receivedByteNanos,
        double sentByteNanos,
        long coldNanos,
        int nodesPerComputer,
        int coresPerComputer) {
    /** Processor time costs nothing. */
    public static final NodeCosts NONE = new NodeCosts(0, 0, 0, 0, 1, 1);

    static final double COLD_FACTOR = 2.5;

    // Fitted to the processor seconds of test case 1 in the testbed (docs/lab).
    private static final double MEASURED_MESSAGE_NANOS = 37_000;
    private static final double MEASURED_RECEIVED_BYTE_NANOS = 2.1;
    private static final double MEASURED_SENT_BYTE_NANOS = 1.1;
    private static final long MEASURED_COLD_NANOS = 600_000_000;

    public NodeCosts {
        checkArgument(messageNanos >= 0, "messageNanos: %s", messageNanos);
        checkArgument(receivedByteNanos >= 0, "receivedByteNanos: %s", receivedByteNanos);
        checkArgument(sentByteNanos >= 0, "sentByteNanos: %s", sentByteNanos);
        checkArgument(coldNanos >= 0, "coldNanos: %s", coldNanos);
        checkArgument(nodesPerComputer >= 1, "nodesPerComputer: %s", nodesPerComputer);
        checkArgument(coresPerComputer >= 1, "coresPerComputer: %s", coresPerComputer);
    }

    /** Processor time to combine so many inputs. An input is read once, as a piece that is sent; no separate figure has been measured. */
    double combiningNanos(int inputs, int pieceBytes) {
        return sentByteNanos * inputs * pieceBytes;
    }

    /** Whether any work takes processor time. */
    boolean takeProcessorTime() {
        return messageNanos > 0 || receivedByteNanos > 0 || sentByteNanos > 0;
    }

    /**
     * All nodes on one computer, as in the testbed. The costs are those of fresh processes on a Xeon of about 2 GHz, the emulated
     * network's included, divided by the computer's speed.
     *
     * @param nodes how many there are, at least 1
     * @param computer its processors
     */
    public static NodeCosts onOneComputer(int nodes, SharedComputer computer) {
        return new NodeCosts(
                MEASURED_MESSAGE_NANOS / computer.speed(),
                MEASURED_RECEIVED_BYTE_NANOS / computer.speed(),
                MEASURED_SENT_BYTE_NANOS / computer.speed(),
                (long) (MEASURED_COLD_NANOS / computer.speed()),
                nodes,
                computer.cores());
    }
}
