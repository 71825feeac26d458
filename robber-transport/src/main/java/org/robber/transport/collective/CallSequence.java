package org.robber.transport.collective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.rendezvous.BlockingCalls;

/** Numbers the calls of a communicator, which one thread at a time begins. Thread-safe. */
final class CallSequence {
    private final BlockingCalls waiting;

    /** The thread that begins a call, or waits for one that it has begun. */
    private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

    /** The number 0 is left to the call that has made the group. */
    private long next = 1;

    private volatile boolean closed;
    private volatile Supplier<@Nullable Duration> limit = () -> null;

    CallSequence(BlockingCalls waiting) {
        this.waiting = waiting;
    }

    /**
     * Begins a call.
     *
     * @param phase the call, for people
     * @param body begins the call of the given number
     * @throws RobberException if another thread begins a call, or waits for one that it has begun; or after {@link #beginLast}
     */
    <T> PendingOperation<T> begin(String phase, CallProgress progress, LongFunction<CompletableFuture<T>> body) {
        enter(phase);
        try {
            if (closed) {
                throw misuse(phase, "the communicator is closed");
            }
            CompletableFuture<T> begun = body.apply(next);
            next++;
            return new PendingOperation<>(this, waiting, phase, progress, begun);
        } finally {
            leave();
        }
    }

    /**
     * Begins a call, after which there are no others; returns null if that has been done before.
     *
     * @throws RobberException as {@link #begin}; then others may follow
     */
    @Nullable
    PendingOperation<Void> beginLast(String phase, LongFunction<CompletableFuture<Void>> body) {
        if (closed) {
            return null;
        }
        enter(phase);
        try {
            if (closed) {
                return null;
            }
            CompletableFuture<Void> last = body.apply(next);
            closed = true;
            return new PendingOperation<>(this, waiting, phase, new CallProgress(), last);
        } finally {
            leave();
        }
    }

    /** Sets how long a caller may wait for a call to end; null: for ever. */
    void limit(Supplier<@Nullable Duration> newLimit) {
        limit = newLimit;
    }

    /** How long a caller may wait for a call to end; null: for ever. */
    @Nullable
    Duration limit() {
        return limit.get();
    }

    void enter(String phase) {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw misuse(
                    phase,
                    "another thread is in a call of this communicator; a communicator serves one thread at a time");
        }
    }

    private RobberException misuse(String phase, String why) {
        return new RobberException(Reason.USAGE, List.of(waiting.rank()), phase, phase + ": " + why);
    }

    void leave() {
        user.set(null);
    }
}
