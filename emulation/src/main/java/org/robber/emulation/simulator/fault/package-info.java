/** Faults of a simulated run, planned beforehand from a seed. */
@NullMarked
package org.robber.emulation.simulator.fault;

import org.jspecify.annotations.NullMarked;
