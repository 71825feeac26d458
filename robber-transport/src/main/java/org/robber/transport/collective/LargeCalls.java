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
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.PartLayout;
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
            Supplier<CompletableFuture<Void>> moveInPieces) {}

    /** @param layout of its pieces, if it has any */
    LargeCall call(BegunCall call, Movement movement, Supplier<PartLayout> layout) {
        return new LargeCall(
                shared.mayBeFor(movement),
                !movement.isInMemory(),
                rounds -> shared.move(call.name(), movement, rounds, call.progress()),
                () -> personal.steps(movement),
                () -> pieces.move(call, movement, layout.get()));
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
    LargeCall call(BegunCall call, Reduction reduction, PartLayout layout, Supplier<ReductionPlan> plan) {
        return new LargeCall(
                shared.mayReduce(),
                reduction.mayBlock(),
                rounds -> shared.reduce(call.name(), reduction, rounds, call.progress()),
                () -> personal.steps(reduction),
                () -> CompletableFuture.supplyAsync(() -> pieces.reduce(call, reduction, layout, plan.get()), blocking)
                        .thenCompose(Function.identity()));
    }

    /**
     * Members meet, and tell whether they can share memory for a call that may. When its turn comes it goes through memory if all can, else over connections.
     */
    CompletableFuture<Void> run(BegunCall call, LargeCall large) {
        if (!large.mayShare()) {
            return runOverConnections(call, large);
        }
        Rounds rounds = meetings.shared(call.name());
        return meetings.meet(call, ", large", large.mayBlock() ? IMPOSSIBLE : NOTHING)
                .thenCompose(answers -> call.turn()
                        .comes()
                        .thenCompose(free -> answers.stream().allMatch(answer -> answer.length == 0)
                                ? shared.agree(rounds)
                                : CompletableFuture.completedFuture(false)))
                .thenCompose(agreed -> agreed
                        ? turns.oneByOne(call.turn(), () -> large.share().apply(rounds))
                        : runOverConnections(call.at(Stage.AGAIN), large));
    }

    private CompletableFuture<Void> runOverConnections(BegunCall call, LargeCall large) {
        PersonalSteps steps = large.steps().get();
        if (steps == null) {
            return meetBeforePieces(call)
                    .thenCompose(met -> large.moveInPieces().get());
        }
        CompletableFuture<?> met = meetings.meet(call, ", directly", NOTHING);
        return turns.oneByOne(call.turn(), () -> personal.run(call.name(), steps, meetings::deliver, large.mayBlock()))
                .thenCombine(met, (done, all) -> null);
    }

    /** The meeting before an exchange, if it is the first of its call. Members that disagree on whether there is one are named. */
    private CompletableFuture<List<byte[]>> meetBeforePieces(BegunCall call) {
        return call.stage() == Stage.BEGIN
                ? meetings.meet(call, ", in pieces", NOTHING)
                : CompletableFuture.completedFuture(List.of());
    }

    /** As {@link SharedWindows#close}. */
    void close() {
        shared.close();
    }
}
