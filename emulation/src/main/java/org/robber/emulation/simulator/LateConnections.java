package org.robber.emulation.simulator;

import org.robber.core.protocol.Message;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Network;

/**
 * Connections that are made while a multicast runs.
 *
 * @param begin what each end says first
 */
record LateConnections(Network network, Message begin) {

    /** Connects two nodes, if there is a way in both directions. */
    void connect(SimulatedNode low, SimulatedNode high) {
        Connection up = network.connect(low.rank(), high.rank(), low, high);
        if (up != null) {
            low.reconnect(up, begin);
            high.reconnect(up.back(), begin);
        }
    }
}
