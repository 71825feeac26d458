package org.robber.emulation.testbed.calibration;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.scenario.ClusterPair;

/**
 * One direction between two clusters, to be measured.
 *
 * @param wantedBytesPerSecond rate without other traffic
 * @param roundTripNanos delay there and back
 * @param senders ranks of nodes in the cluster it comes from
 * @param receivers ranks of as many nodes in the cluster it goes to: each gets from its counterpart
 * @param cardsLimit whether these nodes' cards let less pass than what is between the clusters
 */
record Flow(
        ClusterPair pair,
        double wantedBytesPerSecond,
        long roundTripNanos,
        ImmutableList<Integer> senders,
        ImmutableList<Integer> receivers,
        boolean cardsLimit) {

    /** Whether anything limits its rate. A flow without a limit is not measured: it would take all processors. */
    boolean isLimited() {
        return wantedBytesPerSecond < Double.POSITIVE_INFINITY;
    }

    /** Its name in the agents' language, another one for each attempt. */
    String name(int attempt) {
        return pair.from() + "-" + pair.to() + "#" + attempt;
    }
}
