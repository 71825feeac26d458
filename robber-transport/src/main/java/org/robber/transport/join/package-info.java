/** Nodes that join a running job: who may, and what becomes of them. */
@NullMarked
package org.robber.transport.join;

import org.jspecify.annotations.NullMarked;
