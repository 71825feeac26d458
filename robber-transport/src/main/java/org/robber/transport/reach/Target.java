package org.robber.transport.reach;

import com.google.common.collect.ImmutableList;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.sockets.Hosts;

/**
 * The node to connect to.
 *
 * @param rank which node should answer
 * @param addresses to be tried in this order
 * @param first the frame that is sent after the greeting
 */
record Target(int rank, ImmutableList<String> addresses, int port, ControlMessage first) {

    /** For people. */
    String where() {
        return String.join(
                " and ",
                addresses.stream().map(address -> Hosts.withPort(address, port)).toList());
    }
}
