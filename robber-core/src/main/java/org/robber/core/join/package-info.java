/** Nodes that come while a multicast goes on: what they do, and what the others do for them, whatever the strategy. */
@NullMarked
package org.robber.core.join;

import org.jspecify.annotations.NullMarked;
