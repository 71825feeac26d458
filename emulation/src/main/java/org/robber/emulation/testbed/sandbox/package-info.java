/** A place of its own for the processes and networks of a testbed, which ends with the process that made it. */
@NullMarked
package org.robber.emulation.testbed.sandbox;

import org.jspecify.annotations.NullMarked;
