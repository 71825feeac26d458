/** Virtual time: future events in their order. */
@NullMarked
package org.robber.emulation.simulator.agenda;

import org.jspecify.annotations.NullMarked;
