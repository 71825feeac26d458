/** Replications in a testbed: data, commands, checks, and the results as every other backend gives them. */
@NullMarked
package org.robber.emulation.testbed.replicate;

import org.jspecify.annotations.NullMarked;
