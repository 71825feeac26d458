/** Calls among processes of one machine through memory that they share. */
@NullMarked
package org.robber.transport.collective.shared;

import org.jspecify.annotations.NullMarked;
