package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** The network between the clusters of a testbed. Not thread-safe. */
public interface Wan extends AutoCloseable {

    /**
     * Gives every link the rate, delay and loss that it has in this phase, at once. Packets on their way stay on their way. Ordered
     * pairs without a link in the phase pass nothing.
     *
     * @throws TestbedException if the network is gone
     */
    void apply(Phase phase);

    /**
     * Bytes of delivered IP packets so far, headers included, for every ordered pair of clusters that has a link.
     *
     * @throws TestbedException if the network is gone
     */
    ImmutableSortedMap<ClusterPair, Long> crossedBytes();

    /** Removes the network. Idempotent; never fails. */
    @Override
    void close();
}
