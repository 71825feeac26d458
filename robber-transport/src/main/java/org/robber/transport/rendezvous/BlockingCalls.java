package org.robber.transport.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Waits for futures on behalf of a caller. The limit of every wait is that of the connection to rank 0, whose end, or that of
 * the job, fails every future: a node that is lost, silent or stalled fails the job, or is lost to it.
 *
 * @param rank of this node
 * @param giveUp called with the failure of a wait, before the caller gets it
 */
public record BlockingCalls(int rank, Consumer<RobberException> giveUp) {

    /**
     * Waits for the result.
     *
     * @param phase what the caller is doing, for people
     */
    public <T> T until(CompletableFuture<T> future, String phase) {
        return until(future, phase, null);
    }

    /**
     * Waits for the result, at most for so long.
     *
     * @param phase what the caller is doing, for people
     * @param limit null: for ever
     */
    public <T> T until(CompletableFuture<T> future, String phase, @Nullable Duration limit) {
        try {
            return limit == null ? future.get() : future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
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
            giveUp.accept(failure);
            throw failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            RobberException failure = new RobberException(
                    Reason.INTERRUPTED,
                    List.of(rank),
                    phase,
                    "rank " + rank + " was interrupted during '" + phase + "'",
                    e);
            giveUp.accept(failure);
            throw failure;
        } catch (ExecutionException e) {
            RobberException failure = asFailure(e.getCause() == null ? e : e.getCause(), phase);
            // Mostly the job has failed already; if not, the others would only see that this node has gone.
            giveUp.accept(failure);
            throw failure;
        }
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
        return new RobberException(Reason.INTERNAL, List.of(rank), phase, "a defect of Robber: " + root, root);
    }
}
