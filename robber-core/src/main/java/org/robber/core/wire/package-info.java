/** The binary form of the messages: versioned, length-prefixed, with a hard limit per type. */
@NullMarked
package org.robber.core.wire;

import org.jspecify.annotations.NullMarked;
