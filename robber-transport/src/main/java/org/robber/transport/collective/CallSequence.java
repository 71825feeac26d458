package org.robber.transport.collective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.collective.member.SoleCaller;
import org.robber.transport.rendezvous.BlockingCalls;

/** Numbers the calls of a communicator, which one thread at a time begins. Thread-safe. */
final class CallSequence {
    private final BlockingCalls waiting;

    private final SoleCaller caller;

    /** The number 0 is left to the call that has made the group. */
    private long next = 1;

    private volatile boolean closed;
    private volatile Supplier<@Nullable Duration> limit = () -> null;

    CallSequence(BlockingCalls waiting) {
        this.waiting = waiting;
        this.caller = new SoleCaller(waiting.rank(), "communicator");
    }

    /**
     * Begins a call.
     *
     * @param phase the call, for people
     * @param body begins the call of the given number
     * @throws RobberException if another thread begins a call, or waits for one that it has begun; or after {@link #beginLast}
     */
    <T> PendingOperation<T> begin(String phase, CallProgress progress, LongFunction<CompletableFuture<T>> body) {
        return caller.call(phase, () -> {
            if (closed) {
                throw new RobberException(
                        Reason.USAGE, List.of(waiting.rank()), phase, phase + ": the communicator is closed");
            }
            CompletableFuture<T> begun = body.apply(next);
            next++;
            return new PendingOperation<>(this, waiting, phase, progress, begun);
        });
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
        return caller.call(phase, () -> {
            if (closed) {
                return null;
            }
            CompletableFuture<Void> last = body.apply(next);
            closed = true;
            return new PendingOperation<>(this, waiting, phase, new CallProgress(), last);
        });
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

    /** Waits for a call, on the thread that has begun it. */
    <T> T await(String phase, Supplier<T> end) {
        return caller.call(phase, end);
    }
}
