/** The tuned numbers of the algorithm. */
@NullMarked
package org.robber.core.tuning;

import org.jspecify.annotations.NullMarked;
