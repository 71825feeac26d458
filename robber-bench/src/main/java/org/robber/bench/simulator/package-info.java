/** The cost of the simulator itself: {@link org.robber.bench.simulator.ManyNodes}. */
@NullMarked
package org.robber.bench.simulator;

import org.jspecify.annotations.NullMarked;
