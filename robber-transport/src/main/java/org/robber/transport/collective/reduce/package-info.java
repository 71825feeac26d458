/** Reductions: the operations on elements, and the pieces that nodes produce from those of others. */
@NullMarked
package org.robber.transport.collective.reduce;

import org.jspecify.annotations.NullMarked;
