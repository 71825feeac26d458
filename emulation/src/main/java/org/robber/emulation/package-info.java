/** Runs strategies in networks described by scenarios: under virtual time, or as processes in a testbed. */
@NullMarked
package org.robber.emulation;

import org.jspecify.annotations.NullMarked;
