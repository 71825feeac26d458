/**
 * The two ends of a stream of unknown length: what rank 0 reads, and what a node writes. Both keep no more than a few chunks in memory, and a thread of their
 * own each, so that reading, the transfer and writing overlap.
 */
@NullMarked
package org.robber.cli.stream;

import org.jspecify.annotations.NullMarked;
