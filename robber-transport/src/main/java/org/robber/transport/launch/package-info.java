/** Who this process is, from its environment. */
@NullMarked
package org.robber.transport.launch;

import org.jspecify.annotations.NullMarked;
