/** Traces as data: what a node was told and what it did, as events with a stable hash and a text form. */
@NullMarked
package org.robber.core.trace;

import org.jspecify.annotations.NullMarked;
