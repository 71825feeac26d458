/** The strategies by name. */
@NullMarked
package org.robber.core.strategy;

import org.jspecify.annotations.NullMarked;
