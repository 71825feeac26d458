/** The decisions of rank 0: who takes part, the order of messages, the replies to calls, losses, and nodes that join. */
@NullMarked
package org.robber.transport.rankzero;

import org.jspecify.annotations.NullMarked;
