package org.robber.transport.job;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.rendezvous.Assembly;

/**
 * Waits for futures on behalf of a caller. The limit of every wait is the assembly's: a node that is lost, silent or
 * stalled fails the job, and with it every future.
 */
record Waiting(Assembly assembly) {

    <T> T until(CompletableFuture<T> future, String phase) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            RobberException failure = new RobberException(
                    Reason.INTERRUPTED,
                    List.of(assembly.rank()),
                    phase,
                    "rank " + assembly.rank() + " was interrupted during '" + phase + "'",
                    e);
            assembly.giveUp(failure);
            throw failure;
        } catch (ExecutionException e) {
            RobberException failure = asFailure(e.getCause() == null ? e : e.getCause(), phase);
            // Mostly the job has failed already; if not, the others would only see that this node has gone.
            assembly.giveUp(failure);
            throw failure;
        }
    }

    private RobberException asFailure(Throwable cause, String phase) {
        Throwable root = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof RobberException told) {
            // A new one, so that the stack is the caller's.
            return new RobberException(
                    told.reason(), told.ranks(), told.phase(), String.valueOf(told.getMessage()), told);
        }
        return new RobberException(
                Reason.INTERNAL, List.of(assembly.rank()), phase, "a defect of Robber: " + root, root);
    }
}
