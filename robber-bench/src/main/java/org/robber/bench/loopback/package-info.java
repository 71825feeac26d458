/**
 * Robber against plain socket copies over loopback, in fresh processes: the parent, {@link
 * org.robber.bench.loopback.Loopback}, prepares the data, starts the processes of one contender after the other, and
 * compares what they report.
 */
@NullMarked
package org.robber.bench.loopback;

import org.jspecify.annotations.NullMarked;
