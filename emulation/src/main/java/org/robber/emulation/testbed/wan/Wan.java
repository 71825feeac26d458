package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** The network between the clusters of a testbed. Not thread-safe. */
public interface Wan extends AutoCloseable {

    /**
     * Gives every link the rate, delay and loss that it has in this phase, at once; what is on its way stays on its way. Ordered
     * pairs that the phase does not name pass nothing.
     *
     * @throws TestbedException if the network is gone
     */
    void apply(Phase phase);

    /**
     * What has crossed so far, for every ordered pair of clusters that has a link: bytes of IP packets that were delivered,
     * headers included.
     *
     * @throws TestbedException if the network is gone
     */
    ImmutableSortedMap<ClusterPair, Long> crossedBytes();

    /** Takes the network away. Idempotent; never fails. */
    @Override
    void close();
}
