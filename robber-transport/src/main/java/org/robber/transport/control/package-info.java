/** Control connections between rank 0 and all other nodes: what they carry, and how they begin and end. */
@NullMarked
package org.robber.transport.control;

import org.jspecify.annotations.NullMarked;
