package org.robber.transport.rendezvous;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for futures on behalf of a caller. The limit of every wait is that of the connection to rank 0, whose end, or that of
 * the job, fails every future: a node that is lost, silent or stalled fails the job, or is lost to it.
 *
 * @param rank of this node
 * @param giveUp called with the failure of a wait, before the caller gets it
 * @param deadline of all waits; null: none
 * @param polling what threads do before they sleep
 */
public record BlockingCalls(
        int rank,
        Consumer<RobberException> giveUp,
        @Nullable Deadline deadline,
        Polling polling) {

    private static final Logger LOG = LoggerFactory.getLogger(BlockingCalls.class);

    /** Longer than a transfer that is closed waits for what still writes to memory. */
    private static final long LONGEST_END_SECONDS = 3;

    /** What a thread does before it sleeps. */
    public interface Polling {
        /** Fetches what may complete this, at most for so long. Returns earlier if that is of no use. */
        void poll(CompletableFuture<?> awaited, long mostNanos);
    }

    /**
     * @param limit how long it was from the start
     * @param nanos when it is over, by {@link System#nanoTime}
     */
    private record Deadline(Duration limit, long nanos) {}

    /** Waits without a deadline. */
    public BlockingCalls(int rank, Consumer<RobberException> giveUp) {
        this(rank, giveUp, null, (awaited, mostNanos) -> {});
    }

    /** As these; threads poll before they sleep. */
    public BlockingCalls polling(Polling newPolling) {
        return new BlockingCalls(rank, giveUp, deadline, newPolling);
    }

    /** As these, but all waits together end after so long. */
    public BlockingCalls within(@Nullable Duration limit) {
        return limit == null
                ? this
                : new BlockingCalls(rank, giveUp, new Deadline(limit, System.nanoTime() + nanos(limit)), polling);
    }

    /**
     * Waits for the result.
     *
     * @param phase what the caller is doing, for people
     */
    public <T> T until(CompletableFuture<T> future, String phase) {
        Deadline end = deadline;
        return end == null
                ? until(future, phase, null)
                : until(future, phase, Math.max(0, end.nanos - System.nanoTime()), end.limit);
    }

    /**
     * Waits for the result, at most for so long.
     *
     * @param phase what the caller is doing, for people
     * @param limit null: for ever
     */
    public <T> T until(CompletableFuture<T> future, String phase, @Nullable Duration limit) {
        return until(future, phase, limit == null ? Long.MAX_VALUE : nanos(limit), limit);
    }

    /**
     * Waits for the result, at most for so long; returns whether it is there. If it is not, the call goes on. Nothing of the wait is left in the future, since
     * programs may wait so very often.
     *
     * @param phase what the caller is doing, for people
     */
    public boolean endsWithin(CompletableFuture<?> future, String phase, Duration time) {
        try {
            future.get(nanos(time), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            throw interrupted(e, future, phase);
        } catch (ExecutionException e) {
            throw failed(e, phase);
        }
    }

    /** For ever, if the clock cannot count so far. */
    private static long nanos(Duration time) {
        return TimeUnit.NANOSECONDS.convert(time);
    }

    private <T> T until(CompletableFuture<T> future, String phase, long nanos, @Nullable Duration limit) {
        try {
            long begin = System.nanoTime();
            polling.poll(future, nanos);
            return limit == null ? future.get() : future.get(nanos - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            RobberException failure = new RobberException(
                    Reason.DEADLINE,
                    List.of(rank),
                    phase,
                    "rank " + rank + " has waited for '" + phase + "' until its deadline of "
                            + Duration.ofMillis(limit.toMillis())
                                    .toString()
                                    .substring(2)
                                    .toLowerCase(Locale.ROOT)
                            + ": another node is late, or the limit is short",
                    e);
            throw givenUp(failure, future);
        } catch (InterruptedException e) {
            throw interrupted(e, future, phase);
        } catch (ExecutionException e) {
            throw failed(e, phase);
        }
    }

    private RobberException interrupted(InterruptedException cause, CompletableFuture<?> future, String phase) {
        Thread.currentThread().interrupt();
        RobberException failure = new RobberException(
                Reason.INTERRUPTED,
                List.of(rank),
                phase,
                "rank " + rank + " was interrupted during '" + phase + "'",
                cause);
        return givenUp(failure, future);
    }

    /** Gives up, which fails the future. Until then, the caller's memory may be written to. */
    private RobberException givenUp(RobberException failure, CompletableFuture<?> future) {
        giveUp.accept(failure);
        try {
            Uninterruptibles.getUninterruptibly(future, LONGEST_END_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            LOG.trace("{} has ended", failure.phase(), e);
        }
        return failure;
    }

    private RobberException failed(ExecutionException ended, String phase) {
        RobberException failure = asFailure(ended.getCause() == null ? ended : ended.getCause(), phase);
        // Mostly the job has failed already; if not, the others would only see that this node has gone.
        giveUp.accept(failure);
        return failure;
    }

    /** The failure as a new one, with the stack of the caller. */
    public static RobberException again(RobberException told) {
        return new RobberException(told.reason(), told.ranks(), told.phase(), String.valueOf(told.getMessage()), told);
    }

    /** What a caller is told of a call that ended with this: a defect, if it is no failure with a reason. */
    public RobberException asFailure(Throwable cause, String phase) {
        Throwable root = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof RobberException told) {
            return again(told);
        }
        String why = root instanceof OutOfMemoryError
                ? "rank " + rank + " has too little memory for '" + phase + "' (" + root.getMessage()
                        + "): raise -Xmx or -XX:MaxDirectMemorySize"
                : "a defect of Robber: " + root;
        return new RobberException(Reason.INTERNAL, List.of(rank), phase, why, root);
    }
}
