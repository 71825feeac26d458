package org.robber.transport.collective;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets calls hand over their exchanges, and their personal payloads, in the order in which they were begun, which is the same at all members. Meetings
 * may end in another order, and members whose exchanges differ in order would wait for each other. Thread-safe.
 */
final class ExchangeTurns {
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** The last call with personal payloads; changed in turn. */
    private CompletableFuture<Void> lastOfOneByOne = CompletableFuture.completedFuture(null);

    /** A call that may have an exchange. If it fails before, or has none, the calls after it have theirs all the same. */
    CompletableFuture<Void> inTurn(Function<Turn, CompletableFuture<Void>> body) {
        Turn turn = next();
        try {
            return body.apply(turn).whenComplete((done, problem) -> turn.pass());
        } catch (RuntimeException | Error e) {
            turn.pass();
            throw e;
        }
    }

    /** The turn of a call that begins now. It must be taken or passed in the end, or no other comes. */
    private synchronized Turn next() {
        Turn turn = new Turn(last);
        last = turn.over;
        return turn;
    }

    /** A call whose data are personal payloads. Each begins when the one before has ended: what comes before a member has begun takes its memory. */
    CompletableFuture<Void> oneByOne(Supplier<CompletableFuture<Void>> call) {
        return inTurn(turn -> oneByOne(turn, call));
    }

    /** The same for a call that has its turn already. */
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

    /** When a call may hand over its exchange. */
    static final class Turn {
        private final CompletableFuture<Void> before;
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        private Turn(CompletableFuture<Void> before) {
            this.before = before;
        }

        /** Completes when all calls before have handed over their exchanges, or passed. */
        CompletableFuture<Void> comes() {
            return before.copy();
        }

        /** Hands over the exchange as soon as all calls before have handed over theirs, or passed. */
        CompletableFuture<Void> take(Supplier<CompletableFuture<Void>> exchange) {
            return before.thenCompose(free -> {
                try {
                    return exchange.get();
                } finally {
                    over.complete(null);
                }
            });
        }

        /** The call has no exchange. Of no effect once the turn is taken. */
        void pass() {
            before.thenRun(() -> over.complete(null));
        }
    }
}
