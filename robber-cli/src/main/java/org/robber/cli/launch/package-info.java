/** Starts the nodes of a job as processes, and looks after them. */
@NullMarked
package org.robber.cli.launch;

import org.jspecify.annotations.NullMarked;
