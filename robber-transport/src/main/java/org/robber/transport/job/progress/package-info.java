/** How far the nodes of a job are, and the watches that tell a slow node from one that hangs. */
@NullMarked
package org.robber.transport.job.progress;

import org.jspecify.annotations.NullMarked;
