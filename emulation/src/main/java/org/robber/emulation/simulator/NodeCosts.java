package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What nodes cost the machines that they run on. Costs of 0 mean that machines are no bottleneck.
 *
 * @param messageNanos processor time for each message or piece received
 * @param receivedByteNanos processor time for each byte of a piece received: copied, verified, stored
 * @param sentByteNanos processor time for each byte of a piece sent
 * @param storeNanos from the last byte of a piece until it is stored, beside processor time
 * @param nodesPerMachine nodes, in the order of their ranks, that share a machine
 * @param coresPerMachine processors of a machine; a node uses one at a time
 */
public record NodeCosts(
        double messageNanos,
        double receivedByteNanos,
        double sentByteNanos,
        long storeNanos,
        int nodesPerMachine,
        int coresPerMachine) {
    /** Machines are no bottleneck. */
    public static final NodeCosts NONE = new NodeCosts(0, 0, 0, 0, 1, 1);

    public NodeCosts {
        checkArgument(messageNanos >= 0, "messageNanos: %s", messageNanos);
        checkArgument(receivedByteNanos >= 0, "receivedByteNanos: %s", receivedByteNanos);
        checkArgument(sentByteNanos >= 0, "sentByteNanos: %s", sentByteNanos);
        checkArgument(storeNanos >= 0, "storeNanos: %s", storeNanos);
        checkArgument(nodesPerMachine >= 1, "nodesPerMachine: %s", nodesPerMachine);
        checkArgument(coresPerMachine >= 1, "coresPerMachine: %s", coresPerMachine);
    }
}
