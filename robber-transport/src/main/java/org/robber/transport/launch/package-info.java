/** Reads from the environment what launchers of parallel jobs set: rank, size, and the address of rank 0. */
@NullMarked
package org.robber.transport.launch;

import org.jspecify.annotations.NullMarked;
