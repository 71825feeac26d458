/**
 * Collective calls: arguments are checked, members meet, and each call takes its way: in the meeting, through shared memory, in messages, or in
 * pieces.
 */
@NullMarked
package org.robber.transport.collective;

import org.jspecify.annotations.NullMarked;
