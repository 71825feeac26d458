/** The theoretical maximum of a scenario: what no strategy can exceed, and what a perfect one would reach. */
@NullMarked
package org.robber.emulation.bound;

import org.jspecify.annotations.NullMarked;
