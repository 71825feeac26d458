package org.robber.transport.collective;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets calls hand over their exchanges, and begin their large meetings, in the order in which they were begun, which is the same at all members. Meetings
 * may end in another order, and members whose exchanges differ in order would wait for each other. Thread-safe.
 */
final class ExchangeTurns {
    /** Payloads of meetings that a member has not begun take its memory. So meetings of more bytes begin one after the other. */
    static final long MOST_EARLY_BYTES = 1 << 16;

    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** The last meeting of many bytes; changed in turn. */
    private CompletableFuture<Void> lastLargeMeeting = CompletableFuture.completedFuture(null);

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

    /** A call whose data are payloads of one meeting. */
    CompletableFuture<Void> meeting(long broughtBytes, Supplier<CompletableFuture<Void>> meeting) {
        return broughtBytes <= MOST_EARLY_BYTES ? meeting.get() : inTurn(turn -> meeting(broughtBytes, turn, meeting));
    }

    /** The same for a call that has its turn already. Large meetings begin one after the other, in the order of turns. */
    CompletableFuture<Void> meeting(long broughtBytes, Turn turn, Supplier<CompletableFuture<Void>> meeting) {
        if (broughtBytes <= MOST_EARLY_BYTES) {
            turn.pass();
            return meeting.get();
        }
        return turn.take(() -> {
            lastLargeMeeting = lastLargeMeeting.handle((met, problem) -> true).thenCompose(free -> meeting.get());
            return lastLargeMeeting;
        });
    }

    /** When a call may hand over its exchange. */
    static final class Turn {
        private final CompletableFuture<Void> before;
        private final CompletableFuture<Void> over = new CompletableFuture<>();

        private Turn(CompletableFuture<Void> before) {
            this.before = before;
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
