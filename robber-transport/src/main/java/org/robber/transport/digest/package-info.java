/** Digests of pieces. */
@NullMarked
package org.robber.transport.digest;

import org.jspecify.annotations.NullMarked;
