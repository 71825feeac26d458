package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a stream works; the same on all nodes.
 *
 * @param dropAfter how long a reader may have no room for more until it is dropped: its stream ends with {@link RobberException.Reason#DEADLINE}, and the
 *     others go on without waiting for it. Null: never, the root waits for the slowest reader
 * @param windowBytes how much memory each node has for what is under way and not yet read, from 12 to 192 MiB: three chunks. 0: chunks of 8 to 64 MiB, by the
 *     rate of the stream and the root's heap
 */
public record StreamOptions(@Nullable Duration dropAfter, long windowBytes) {
    /** A third of it is larger than the data of a call that are not verified. */
    private static final long SMALLEST_WINDOW_BYTES = 12L << 20;

    private static final long LARGEST_WINDOW_BYTES = 192L << 20;
    private static final StreamOptions DEFAULTS = new StreamOptions(null, 0);

    public StreamOptions {
        checkArgument(
                windowBytes == 0 || (windowBytes >= SMALLEST_WINDOW_BYTES && windowBytes <= LARGEST_WINDOW_BYTES),
                "windowBytes: %s, of %s to %s",
                windowBytes,
                SMALLEST_WINDOW_BYTES,
                LARGEST_WINDOW_BYTES);
        checkArgument(dropAfter == null || dropAfter.compareTo(Duration.ZERO) > 0, "dropAfter: %s", dropAfter);
    }

    /** The root waits for the slowest reader. */
    public static StreamOptions defaults() {
        return DEFAULTS;
    }

    /** Readers that have no room for so long are dropped. */
    public StreamOptions withDropAfter(Duration limit) {
        return new StreamOptions(limit, windowBytes);
    }

    /** Each node has so much memory for what is under way and not yet read. With a small window, fast and long lines are idle between chunks. */
    public StreamOptions withWindow(long bytes) {
        return new StreamOptions(dropAfter, bytes);
    }
}
