/** Programs in a testbed: one process per node, and what became of them. */
@NullMarked
package org.robber.emulation.testbed.program;

import org.jspecify.annotations.NullMarked;
