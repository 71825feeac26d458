/** Small collective calls of a group of nodes: who tells whom, and when a call is over. */
@org.jspecify.annotations.NullMarked
package org.robber.core.meeting;
