/** The messages that nodes exchange, as data. */
@NullMarked
package org.robber.core.protocol;

import org.jspecify.annotations.NullMarked;
