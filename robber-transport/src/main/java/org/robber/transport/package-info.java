/** The Netty driver of the strategies: real sockets, real storage. */
@NullMarked
package org.robber.transport;

import org.jspecify.annotations.NullMarked;
