/** Strategies x scenarios x seeds: runs them through a backend, and says what the runs together mean. */
@NullMarked
package org.robber.emulation.experiment;

import org.jspecify.annotations.NullMarked;
