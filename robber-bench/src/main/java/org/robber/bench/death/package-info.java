/** The cost of the death of a node for the others: {@link org.robber.bench.death.OneDeath}. */
@NullMarked
package org.robber.bench.death;

import org.jspecify.annotations.NullMarked;
