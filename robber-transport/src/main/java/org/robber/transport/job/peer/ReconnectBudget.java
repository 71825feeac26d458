package org.robber.transport.job.peer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often connections to each peer may fail in a row before this node does without the peer, and how long it pauses before each new
 * attempt. A connection that lasted long enough clears the record of its peer. Not thread-safe.
 */
final class ReconnectBudget {
    /** A connection that lasts this long shows that the peer can be reached, or a shorter time in which the peer may be silent. */
    static final long MOST_SOUND_NANOS = 10_000_000_000L;

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    private final int mostFailures;
    private final long soundNanos;
    private final LongSupplier nanoClock;
    private final Map<Integer, Integer> failures = new HashMap<>();
    private final Map<Integer, Long> openedNanos = new HashMap<>();

    /**
     * A record without failures.
     *
     * @param mostFailures after this many failures in a row, the peer is given up
     * @param idle how long a peer may be silent; a connection to one that is not ready yet ends by then
     */
    ReconnectBudget(int mostFailures, Duration idle, LongSupplier nanoClock) {
        this.mostFailures = mostFailures;
        this.soundNanos = Math.min(MOST_SOUND_NANOS, TimeUnit.NANOSECONDS.convert(idle));
        this.nanoClock = nanoClock;
    }

    /** A connection to the peer is open. */
    void opened(int peer) {
        openedNanos.put(peer, nanoClock.getAsLong());
    }

    /** The connection to the peer has ended. */
    void ended(int peer) {
        Long opened = openedNanos.remove(peer);
        if (opened != null && nanoClock.getAsLong() - opened >= soundNanos) {
            failures.remove(peer);
        }
    }

    /** Counts a failure; returns how many milliseconds to pause before the next attempt, or nothing if the peer is to be given up. */
    OptionalLong pauseMillisAfterFailure(int peer) {
        int count = failures.merge(peer, 1, Integer::sum);
        return count > mostFailures
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(count - 1, Integer.SIZE)));
    }
}
