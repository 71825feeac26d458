/** Measures what the library costs and what it gains over plain copies. */
@NullMarked
package org.robber.bench;

import org.jspecify.annotations.NullMarked;
