/**
 * Streams over the calls of a communicator of their own. The root broadcasts the length of each chunk, and then the chunk; a length of 0 is the end.
 * Two chunks are under way at once, so the start and the tail of each hide behind the other.
 */
@NullMarked
package org.robber.transport.stream;

import org.jspecify.annotations.NullMarked;
