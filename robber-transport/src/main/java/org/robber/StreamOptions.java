package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a stream works; the same on all nodes.
 *
 * @param dropAfter how long a reader may have no room for more until it is dropped: its stream ends with {@link RobberException.Reason#DEADLINE}, and the
 *     others go on without waiting for it. Null: never, the root waits for the slowest reader
 */
public record StreamOptions(@Nullable Duration dropAfter) {
    private static final StreamOptions DEFAULTS = new StreamOptions(null);

    public StreamOptions {
        checkArgument(dropAfter == null || !dropAfter.isNegative(), "dropAfter: %s", dropAfter);
    }

    /** The root waits for the slowest reader. */
    public static StreamOptions defaults() {
        return DEFAULTS;
    }

    /** Readers that have no room for so long are dropped. */
    public StreamOptions withDropAfter(Duration limit) {
        return new StreamOptions(limit);
    }
}
