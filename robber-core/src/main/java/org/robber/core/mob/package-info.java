/** MOB: clusters steal pieces from one another, each member a fixed, equal share. */
@NullMarked
package org.robber.core.mob;

import org.jspecify.annotations.NullMarked;
