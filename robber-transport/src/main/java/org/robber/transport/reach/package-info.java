/** How a node reaches the others: it listens, connects, asks others to connect, and finds relays. What comes of it is a connection whose greetings are over. */
@NullMarked
package org.robber.transport.reach;

import org.jspecify.annotations.NullMarked;
