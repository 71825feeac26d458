/** Programs in a testbed: one process per node, and their results. */
@NullMarked
package org.robber.emulation.testbed.program;

import org.jspecify.annotations.NullMarked;
