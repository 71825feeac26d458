/** Messages and blocks of pieces as frames of a connection: they are read, placed and written. */
@NullMarked
package org.robber.transport.link.frame;

import org.jspecify.annotations.NullMarked;
