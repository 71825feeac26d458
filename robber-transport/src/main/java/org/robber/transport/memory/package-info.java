/** Memory that is used again. */
@NullMarked
package org.robber.transport.memory;

import org.jspecify.annotations.NullMarked;
