package org.robber.transport.collective;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.robber.core.meeting.PersonalPayloads;

/**
 * Calls of middle size, whose members send what they have to those who want it in one message each. Pieces cost several messages each, and
 * the payload of a meeting for all goes to all.
 */
final class PersonalCalls {
    private final OwnPart own;
    private final LongSupplier mostBytes;
    private final Executor blocking;

    /** @param mostBytes as {@link Exchanges#mostPersonalBytes} */
    PersonalCalls(OwnPart own, LongSupplier mostBytes, Executor blocking) {
        this.own = own;
        this.mostBytes = mostBytes;
        this.blocking = blocking;
    }

    /** Meetings of one call. */
    interface Rounds {
        /**
         * Begins one of them.
         *
         * @param round from 0
         */
        CompletableFuture<Map<Integer, ByteBuffer>> deliver(int round, String call, PersonalPayloads payloads);
    }

    /** Whether a call is of middle size; the same at all members. */
    boolean isFor(Movement movement) {
        long most = mostBytes.getAsLong();
        PersonalBcast bcast = most == 0 ? null : PersonalBcast.of(movement);
        return most > 0
                && (bcast == null
                        ? new PersonalParts(movement).fit(most)
                        : new PersonalParts(bcast.gathered()).fit(most));
    }

    boolean isFor(Reduction reduction) {
        long most = mostBytes.getAsLong();
        return most > 0 && new PersonalReduction(reduction).fits(most);
    }

    CompletableFuture<Void> move(String call, Movement movement, Rounds rounds) {
        PersonalBcast bcast = PersonalBcast.of(movement);
        if (bcast == null) {
            return move(0, call, movement, rounds);
        }
        return move(0, call, bcast.scattered(), rounds).thenCompose(here -> move(1, call, bcast.gathered(), rounds));
    }

    private CompletableFuture<Void> move(int round, String call, Movement movement, Rounds rounds) {
        PersonalParts parts = new PersonalParts(movement);
        Executor executor = movement.isInMemory() ? Runnable::run : blocking;
        return CompletableFuture.supplyAsync(() -> own.orFailJob(call, parts::payloads), executor)
                .thenCompose(payloads -> rounds.deliver(round, call, payloads))
                .thenAcceptAsync(received -> own.alone(call, () -> parts.place(received)), executor);
    }

    CompletableFuture<Void> reduce(String call, Reduction reduction, Rounds rounds) {
        PersonalReduction sliced = new PersonalReduction(reduction);
        Executor executor = reduction.mayBlock() ? blocking : Runnable::run;
        CompletableFuture<Void> combined = CompletableFuture.supplyAsync(
                        () -> own.orFailJob(call, sliced::contributions), executor)
                .thenCompose(payloads -> rounds.deliver(0, call, payloads))
                .thenAcceptAsync(received -> orFailJob(call, () -> sliced.combine(received)), executor);
        CompletableFuture<Map<Integer, ByteBuffer>> results = sliced.hasResultsOfOthers()
                ? combined.thenCompose(done -> rounds.deliver(1, call, sliced.results()))
                : combined.thenApply(done -> Map.of());
        return results.thenAcceptAsync(received -> own.alone(call, () -> sliced.place(received)), executor);
    }

    private void orFailJob(String call, Runnable part) {
        Supplier<Boolean> done = () -> {
            part.run();
            return true;
        };
        boolean unused = own.orFailJob(call, done);
    }
}
