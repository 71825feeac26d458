/** The sockets of this platform, and the event loops that serve them. */
@NullMarked
package org.robber.transport.sockets;

import org.jspecify.annotations.NullMarked;
