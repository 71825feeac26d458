/** Ranks, clusters, the overlay of connections between them, and the division of work within a cluster. */
@NullMarked
package org.robber.core.topology;

import org.jspecify.annotations.NullMarked;
