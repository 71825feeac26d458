/** Invariants that must hold after every step of a run, checked from outside the nodes. */
@NullMarked
package org.robber.emulation.simulator.checker;

import org.jspecify.annotations.NullMarked;
