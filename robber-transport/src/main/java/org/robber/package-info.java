/** Robber's public API: jobs, communicators and multicast channels for MPI-like Java programs. */
@NullMarked
package org.robber;

import org.jspecify.annotations.NullMarked;
