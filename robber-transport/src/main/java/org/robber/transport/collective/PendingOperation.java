package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.rendezvous.BlockingCalls;

/** A call under way, over a future. */
final class PendingOperation<T> implements Operation<T> {
    private final CallSequence calls;
    private final BlockingCalls waiting;
    private final String phase;
    private final CallProgress progress;
    private final CompletableFuture<T> future;
    private final Thread beginner = Thread.currentThread();

    PendingOperation(
            CallSequence calls,
            BlockingCalls waiting,
            String phase,
            CallProgress progress,
            CompletableFuture<T> future) {
        this.calls = calls;
        this.waiting = waiting;
        this.phase = phase;
        this.progress = progress;
        this.future = future;
    }

    @Override
    public boolean test() {
        return future.isDone();
    }

    @Override
    public T await() {
        if (future.isDone() || Thread.currentThread() != beginner) {
            return waiting.until(future, phase, calls.limit());
        }
        return calls.await(phase, () -> waiting.until(future, phase, calls.limit()));
    }

    /** As {@link #await()}, after which no call can begin: a thread that waits for an earlier one does not hinder this. */
    T awaitLast() {
        return waiting.until(future, phase, calls.limit());
    }

    @Override
    public boolean await(Duration timeout) {
        checkArgument(timeout != null, "timeout is null");
        return waiting.endsWithin(future, phase, timeout);
    }

    @Override
    public void cancel() {
        if (!future.isDone()) {
            RobberException why = new RobberException(
                    Reason.INTERRUPTED,
                    List.of(waiting.rank()),
                    phase,
                    "rank " + waiting.rank() + " has cancelled '" + phase + "'");
            waiting.giveUp().accept(why);
        }
    }

    @Override
    public double progress() {
        return future.isDone() ? 1 : progress.share();
    }

    @Override
    public CompletionStage<T> toCompletionStage() {
        CompletableFuture<T> stage = new CompletableFuture<>();
        future.whenComplete((result, problem) -> {
            if (problem == null) {
                stage.complete(result);
            } else {
                stage.completeExceptionally(waiting.asFailure(problem, phase));
            }
        });
        return stage;
    }
}
