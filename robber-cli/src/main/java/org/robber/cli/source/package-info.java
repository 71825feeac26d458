/** The source of a job at the nodes that have it, and what rank 0 tells of it to all. */
@NullMarked
package org.robber.cli.source;

import org.jspecify.annotations.NullMarked;
