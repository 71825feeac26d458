/** Exchanges of pieces, as calls order them. */
@NullMarked
package org.robber.transport.collective.exchange;

import org.jspecify.annotations.NullMarked;
