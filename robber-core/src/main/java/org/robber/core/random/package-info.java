/** Repeatable randomness: the same seed gives the same numbers on every JDK. */
@NullMarked
package org.robber.core.random;

import org.jspecify.annotations.NullMarked;
