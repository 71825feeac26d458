/** The control plane as every node has it: how a node comes to rank 0, and what it asks of it. */
@NullMarked
package org.robber.transport.rendezvous;

import org.jspecify.annotations.NullMarked;
