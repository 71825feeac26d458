/** Measures the network between the nodes of a job. */
@NullMarked
package org.robber.cli.probe;

import org.jspecify.annotations.NullMarked;
