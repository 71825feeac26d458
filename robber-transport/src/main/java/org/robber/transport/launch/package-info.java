/** What launchers of parallel jobs tell a process through its environment: its rank, the size, and where rank 0 listens. */
@NullMarked
package org.robber.transport.launch;

import org.jspecify.annotations.NullMarked;
