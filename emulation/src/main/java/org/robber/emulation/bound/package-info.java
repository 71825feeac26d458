/** The theoretical maximum of a scenario: a limit for every strategy, which a perfect one would reach. */
@NullMarked
package org.robber.emulation.bound;

import org.jspecify.annotations.NullMarked;
