package org.robber.transport.collective.shared;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.collective.member.OwnPart;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.shared.SharedWindows.Rounds;

/** Large calls of processes of one machine, whose data are in memory: they go through {@link SharedWindows}, a round for each half of a window. */
public final class SharedCalls {
    /** Each opens the windows of all. */
    private static final int MOST_MEMBERS = 64;

    private static final long MOST_BYTES_AT_ONCE = 1 << 20;

    private static final byte[] NOTHING = {};

    private final int size;
    private final OwnPart own;
    private final Exchanges exchanges;
    private final Executor blocking;
    private final SharedWindows windows;

    public SharedCalls(Membership member, OwnPart own, Exchanges exchanges, Executor blocking) {
        this.size = member.size();
        this.own = own;
        this.exchanges = exchanges;
        this.blocking = blocking;
        this.windows = new SharedWindows(member, exchanges.mayShareMemory());
    }

    /** Whether the members may be found to share memory for this; the same at all of them. */
    public boolean mayBeFor(Movement movement) {
        return isOneMachine()
                && movement.parts().stream().allMatch(part -> part.owners().size() == 1);
    }

    /** As {@link #mayBeFor}, for reductions. */
    public boolean mayReduce() {
        return isOneMachine();
    }

    private boolean isOneMachine() {
        return size > 1 && size <= MOST_MEMBERS && exchanges.isOneMachine();
    }

    /** As {@link SharedWindows#close}. */
    public void close() {
        windows.close();
    }

    /** As {@link SharedWindows#agree}. To be called in turn. */
    public CompletableFuture<Boolean> agree(Rounds rounds) {
        return windows.agree(rounds);
    }

    /** Ends when this member has what it wants, and has sent or shown what others want of it. */
    public CompletableFuture<Void> move(String call, Movement movement, Rounds rounds, CallProgress progress) {
        return run(call, new SharedMovement(movement, windows), movement.totalBytes(), rounds, progress);
    }

    /** As {@code move}, and the member has its result. */
    public CompletableFuture<Void> reduce(String call, Reduction reduction, Rounds rounds, CallProgress progress) {
        return run(call, new SharedReduction(reduction, windows), reduction.vectorBytes(), rounds, progress);
    }

    private CompletableFuture<Void> run(
            String call, SharedRounds steps, long totalBytes, Rounds rounds, CallProgress progress) {
        Running running = new Running(call, steps, rounds, bytes -> progress.done(bytes, totalBytes));
        running.goOn();
        return running.done;
    }

    /** A call under way. */
    private final class Running {
        private final String call;
        private final SharedRounds steps;
        private final Rounds rounds;
        private final LongConsumer progress;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private int round;
        private long copiedBytes;

        Running(String call, SharedRounds steps, Rounds rounds, LongConsumer progress) {
            this.call = call;
            this.steps = steps;
            this.rounds = rounds;
            this.progress = progress;
        }

        /** Goes on until a meeting has to be waited for. The last one is without data: then all have copied what this node shows. */
        void goOn() {
            try {
                while (round <= steps.count()) {
                    own.orFailJob(call, () -> steps.show(round));
                    CompletableFuture<List<byte[]>> met = rounds.meet(NOTHING);
                    if (!met.isDone()) {
                        met.whenComplete((all, problem) -> met(problem));
                        return;
                    }
                    met.join();
                    copy();
                }
                end();
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        }

        /** Copies what this node has and wants elsewhere; much of it where that holds up no connection. */
        private void end() {
            Executor executor = steps.ownBytes() > MOST_BYTES_AT_ONCE ? blocking : Runnable::run;
            executor.execute(() -> {
                try {
                    own.alone(call, steps::end);
                    done.complete(null);
                } catch (RuntimeException | Error e) {
                    done.completeExceptionally(e);
                }
            });
        }

        private void met(@Nullable Throwable problem) {
            try {
                if (problem != null) {
                    done.completeExceptionally(problem);
                } else {
                    copy();
                    goOn();
                }
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        }

        private void copy() {
            copiedBytes += own.orFailJob(call, () -> steps.copy(round));
            progress.accept(copiedBytes);
            round++;
        }
    }
}
