/** A node's part in a job: what stands behind the public API. */
@NullMarked
package org.robber.transport.job;

import org.jspecify.annotations.NullMarked;
