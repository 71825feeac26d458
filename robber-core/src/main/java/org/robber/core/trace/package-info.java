/** Traces: the inputs and outputs of a node as events, with a stable hash and a text form. */
@NullMarked
package org.robber.core.trace;

import org.jspecify.annotations.NullMarked;
