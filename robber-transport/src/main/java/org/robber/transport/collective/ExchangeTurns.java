package org.robber.transport.collective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls hand over their exchanges, and their personal payloads, in the order in which they were begun, which is the same at all members. Meetings
 * may end in another order, and members whose exchanges differ in order would wait for each other. Thread-safe.
 */
final class ExchangeTurns {
    /** Those that have not come, or are not over, in order. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    /** Whether a thread lets turns come, one after the other: thousands may have passed before they come. */
    private boolean advancing;

    /** The last call with personal payloads; changed in turn. */
    private CompletableFuture<Void> lastOfOneByOne = CompletableFuture.completedFuture(null);

    /** A call that may have an exchange. If it fails before, or has none, the calls after it have theirs all the same. */
    CompletableFuture<Void> inTurn(Function<Turn, CompletableFuture<Void>> body) {
        Turn turn = new Turn();
        synchronized (this) {
            turns.add(turn);
        }
        advance();
        try {
            return body.apply(turn).whenComplete((done, problem) -> turn.pass());
        } catch (RuntimeException | Error e) {
            turn.pass();
            throw e;
        }
    }

    private void advance() {
        for (Turn next = nextUnlessAdvancing(); next != null; next = next()) {
            next.comes.complete(null);
        }
    }

    private synchronized @Nullable Turn nextUnlessAdvancing() {
        return advancing ? null : next();
    }

    /** The turn that comes next; null if the one before it is not over, or if there is none. */
    private synchronized @Nullable Turn next() {
        while (!turns.isEmpty() && turns.element().comes.isDone() && turns.element().isOver) {
            turns.remove();
        }
        Turn first = turns.peek();
        advancing = first != null && !first.comes.isDone();
        return advancing ? first : null;
    }

    private synchronized void end(Turn turn) {
        turn.isOver = true;
    }

    /** A call whose data are personal payloads. Each begins when the one before has ended: what comes before a member has begun takes its memory. */
    CompletableFuture<Void> oneByOne(Turn turn, Supplier<CompletableFuture<Void>> call) {
        return turn.take(() -> {
            lastOfOneByOne = lastOfOneByOne.handle((done, problem) -> true).thenCompose(free -> call.get());
            return lastOfOneByOne;
        });
    }

    /** Completes when the last call with personal payloads is over; to be called in turn. */
    CompletableFuture<Void> idle() {
        return lastOfOneByOne.handle((done, problem) -> null);
    }

    /** When a call may hand over its exchange. It must be taken or passed in the end, or no other comes. */
    final class Turn {
        private final CompletableFuture<Void> comes = new CompletableFuture<>();

        /** Whether the exchange is handed over, or the turn passed. */
        private boolean isOver;

        /** Completes when all calls before have handed over their exchanges, or passed. */
        CompletableFuture<Void> comes() {
            return comes.copy();
        }

        /** Hands over the exchange as soon as all calls before have handed over theirs, or passed. */
        CompletableFuture<Void> take(Supplier<CompletableFuture<Void>> exchange) {
            return comes.thenCompose(free -> {
                try {
                    return exchange.get();
                } finally {
                    pass();
                }
            });
        }

        /** The call has no exchange. Of no effect once the turn is taken. */
        void pass() {
            end(this);
            advance();
        }
    }
}
