/** Virtual time: what will happen, in the order in which it will. */
@NullMarked
package org.robber.emulation.simulator.agenda;

import org.jspecify.annotations.NullMarked;
