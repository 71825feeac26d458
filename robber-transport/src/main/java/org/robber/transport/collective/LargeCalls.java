package org.robber.transport.collective;

import com.google.common.base.Suppliers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.core.reduce.ReductionPlan;
import org.robber.transport.collective.CallMeetings.Stage;
import org.robber.transport.collective.ExchangeTurns.Turn;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.collective.personal.PersonalCalls;
import org.robber.transport.collective.personal.PersonalSteps;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.shared.SharedCalls;
import org.robber.transport.collective.shared.SharedWindows;
import org.robber.transport.collective.shared.SharedWindows.Rounds;

/**
 * Calls of more bytes than one meeting brings. They go through shared memory ({@link SharedCalls}) if all members can; else members send each other
 * messages ({@link PersonalCalls}), or the data move in pieces ({@link PieceCalls}).
 */
final class LargeCalls {
    private static final byte[] NOTHING = {};

    private static final byte[] IMPOSSIBLE = {0};

    private final CallMeetings meetings;
    private final ExchangeTurns turns;
    private final Executor blocking;
    private final SharedCalls shared;
    private final PersonalCalls personal;
    private final PieceCalls pieces;

    LargeCalls(
            CallMeetings meetings,
            ExchangeTurns turns,
            Executor blocking,
            SharedCalls shared,
            PersonalCalls personal,
            PieceCalls pieces) {
        this.meetings = meetings;
        this.turns = turns;
        this.blocking = blocking;
        this.shared = shared;
        this.personal = personal;
        this.pieces = pieces;
    }

    /**
     * A call, and the ways that it can take.
     *
     * @param mayShare whether the members may be found to share memory for it; the same at all of them
     * @param mayBlock whether this member may wait for a storage or a function of the user; then it cannot share memory
     * @param steps how members send each other messages if they do not share memory; null if they do not, at all of them
     * @param moveInPieces moves pieces when its turn comes
     */
    record LargeCall(
            boolean mayShare,
            boolean mayBlock,
            Function<Rounds, CompletableFuture<Void>> share,
            Supplier<@Nullable PersonalSteps> steps,
            Function<Turn, CompletableFuture<Void>> moveInPieces) {}

    /** @param layout of its pieces, if it has any */
    LargeCall call(long number, String call, Movement movement, Supplier<PartLayout> layout, CallProgress progress) {
        return new LargeCall(
                shared.mayBeFor(movement),
                !movement.isInMemory(),
                rounds -> shared.move(call, movement, rounds, progress),
                () -> personal.steps(movement),
                turn -> pieces.move(number, call, movement, layout.get(), turn, progress));
    }

    /** Too many pieces are refused before anything is sent. */
    Supplier<ReductionPlan> plan(Reduction reduction, PartLayout layout) {
        Supplier<ReductionPlan> plan = Suppliers.memoize(() -> reduction.plan().apply(layout));
        if (!shared.mayReduce() && personal.steps(reduction) == null) {
            ReductionPlan unused = plan.get();
        }
        return plan;
    }

    /** @param plan of the pieces of this layout, if it has any */
    LargeCall call(
            long number,
            String call,
            Reduction reduction,
            PartLayout layout,
            Supplier<ReductionPlan> plan,
            CallProgress progress) {
        return new LargeCall(
                shared.mayReduce(),
                reduction.mayBlock(),
                rounds -> shared.reduce(call, reduction, rounds, progress),
                () -> personal.steps(reduction),
                turn -> CompletableFuture.supplyAsync(
                                () -> pieces.reduce(number, call, reduction, layout, plan.get(), turn, progress),
                                blocking)
                        .thenCompose(Function.identity()));
    }

    /**
     * Members meet, and tell whether they can share memory for a call that may. When its turn comes it goes through memory if all can, else over connections.
     *
     * @param stage of the first meeting
     */
    CompletableFuture<Void> run(long number, Stage stage, String call, LargeCall large, Turn turn) {
        if (!large.mayShare()) {
            return runOverConnections(number, stage, call, large, turn);
        }
        Rounds rounds = meetings.shared(call);
        return meetings.meet(number, stage, call + ", large", large.mayBlock() ? IMPOSSIBLE : NOTHING)
                .thenCompose(answers -> turn.comes()
                        .thenCompose(free -> answers.stream().allMatch(answer -> answer.length == 0)
                                ? shared.agree(rounds)
                                : CompletableFuture.completedFuture(false)))
                .thenCompose(agreed -> agreed
                        ? turns.oneByOne(turn, () -> large.share().apply(rounds))
                        : runOverConnections(number, Stage.AGAIN, call, large, turn));
    }

    private CompletableFuture<Void> runOverConnections(
            long number, Stage stage, String call, LargeCall large, Turn turn) {
        PersonalSteps steps = large.steps().get();
        if (steps == null) {
            return meetBeforePieces(number, stage, call)
                    .thenCompose(met -> large.moveInPieces().apply(turn));
        }
        CompletableFuture<?> met = meetings.meet(number, stage, call + ", directly", NOTHING);
        return turns.oneByOne(turn, () -> personal.run(call, steps, meetings::deliver, large.mayBlock()))
                .thenCombine(met, (done, all) -> null);
    }

    /** The meeting before an exchange, if it is the first of its call. Members that disagree on whether there is one are named. */
    private CompletableFuture<List<byte[]>> meetBeforePieces(long number, Stage stage, String call) {
        return stage == Stage.BEGIN
                ? meetings.meet(number, stage, call + ", in pieces", NOTHING)
                : CompletableFuture.completedFuture(List.of());
    }

    /** As {@link SharedWindows#close}. */
    void close() {
        shared.close();
    }
}
