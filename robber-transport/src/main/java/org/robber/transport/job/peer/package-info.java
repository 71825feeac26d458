/** The nodes of a job as one of them knows them, and its links to them. */
@NullMarked
package org.robber.transport.job.peer;

import org.jspecify.annotations.NullMarked;
