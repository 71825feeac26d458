/** What the death of a node costs the others: {@link org.robber.bench.death.OneDeath}. */
@NullMarked
package org.robber.bench.death;

import org.jspecify.annotations.NullMarked;
