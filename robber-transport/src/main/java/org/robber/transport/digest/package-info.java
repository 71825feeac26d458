/** Digests of pieces, and of all pieces of a multicast together. */
@NullMarked
package org.robber.transport.digest;

import org.jspecify.annotations.NullMarked;
