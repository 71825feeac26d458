/** The nodes of a job as one of them knows them, its links to them, and its own resources. */
@NullMarked
package org.robber.transport.job.peer;

import org.jspecify.annotations.NullMarked;
