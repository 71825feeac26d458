/** The network model: connections, shared stages, and delays. */
@NullMarked
package org.robber.emulation.simulator.network;

import org.jspecify.annotations.NullMarked;
