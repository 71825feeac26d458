/** A strategy as a state machine: events in, actions out. */
@NullMarked
package org.robber.core.node;

import org.jspecify.annotations.NullMarked;
