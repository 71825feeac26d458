/** Runs the machines of robber-core in a modelled network under virtual time. */
@NullMarked
package org.robber.emulation.simulator;

import org.jspecify.annotations.NullMarked;
