/** A node that joins a running job: its connection to rank 0, and the multicast that it joins. */
@NullMarked
package org.robber.transport.join;

import org.jspecify.annotations.NullMarked;
