/**
 * Robber and MOB: clusters steal pieces from one another. In Robber, nodes also steal work from their cluster mates; in MOB each
 * gateway keeps its share.
 */
@NullMarked
package org.robber.core.steal;

import org.jspecify.annotations.NullMarked;
