/** Small collective calls of a group of nodes: who tells whom, and when a call is over. */
@NullMarked
package org.robber.core.meeting;

import org.jspecify.annotations.NullMarked;
