/** Planned runs, their figures, and means with confidence intervals. */
@NullMarked
package org.robber.emulation.experiment;

import org.jspecify.annotations.NullMarked;
