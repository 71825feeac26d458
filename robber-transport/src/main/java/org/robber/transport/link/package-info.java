/** The data path: connections between peers, frames, blocks of pieces, memory. */
@NullMarked
package org.robber.transport.link;

import org.jspecify.annotations.NullMarked;
