package org.robber.transport.collective;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Lets calls hand over their exchanges in the order in which they were begun, which is the same at all members. Meetings may end in another order,
 * and members whose exchanges differ in order would wait for each other. Thread-safe.
 */
final class ExchangeTurns {
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** The turn of a call that begins now. It must be taken or passed in the end, or no other comes. */
    synchronized Turn next() {
        Turn turn = new Turn(last);
        last = turn.over;
        return turn;
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
