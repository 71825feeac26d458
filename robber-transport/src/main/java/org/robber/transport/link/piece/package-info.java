/** Pieces at a node: they are taken in and verified, kept, and supplied to peers. */
@NullMarked
package org.robber.transport.link.piece;

import org.jspecify.annotations.NullMarked;
