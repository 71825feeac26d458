/**
 * The cost of single operations: JMH benchmarks of piece sets, codec, digests and the machine of a node. They run by {@code
 * robber-bench/bin/jmh}, and for a moment each inside the tests, so that none can rot.
 */
@NullMarked
package org.robber.bench.micro;

import org.jspecify.annotations.NullMarked;
