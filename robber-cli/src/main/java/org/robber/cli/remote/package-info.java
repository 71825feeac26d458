/** Starts the nodes of a job on other hosts by ssh. */
@NullMarked
package org.robber.cli.remote;

import org.jspecify.annotations.NullMarked;
