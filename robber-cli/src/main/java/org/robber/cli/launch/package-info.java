/** Starts the nodes of a job as processes on this machine, and looks after them. */
@NullMarked
package org.robber.cli.launch;

import org.jspecify.annotations.NullMarked;
