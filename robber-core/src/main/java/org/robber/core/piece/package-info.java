/** Pieces of the data: how it is cut, and sets of piece numbers. */
@NullMarked
package org.robber.core.piece;

import org.jspecify.annotations.NullMarked;
