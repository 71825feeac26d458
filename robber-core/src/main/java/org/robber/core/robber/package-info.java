/** Robber: clusters steal pieces from one another, and nodes steal work from their cluster mates. */
@NullMarked
package org.robber.core.robber;

import org.jspecify.annotations.NullMarked;
