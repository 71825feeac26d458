package org.robber.cli.stream;

import java.io.IOException;

/**
 * Opens one end of a stream. Of a fifo, it waits until another program has opened the other end.
 *
 * @param <C> the channel
 */
@FunctionalInterface
public interface Opener<C> {
    /** Called once. */
    C open() throws IOException;
}
