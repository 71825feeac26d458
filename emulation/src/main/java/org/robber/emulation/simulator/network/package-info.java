/** The modelled network: connections, what they share, and how long bytes take. */
@NullMarked
package org.robber.emulation.simulator.network;

import org.jspecify.annotations.NullMarked;
