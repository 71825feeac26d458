package org.robber.core.reduce;

import com.google.common.primitives.ImmutableIntArray;

/**
 * A piece that a node makes from other pieces, its inputs.
 *
 * @param piece the piece that is made
 * @param chunk the part of the vector that all these pieces are about
 * @param inputs the pieces to combine, from left to right; at least 1, of which none is {@code piece}
 */
public record Product(int piece, int chunk, ImmutableIntArray inputs) {}
