/** Times collective calls of an MPI-like program, as {@code mpi_collectives.c} does with MPI. */
@NullMarked
package org.robber.bench.collectives;

import org.jspecify.annotations.NullMarked;
