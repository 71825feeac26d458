package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
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
        if (most == 0 || movement.totalBytes() > most) {
            return false;
        }
        return steps(movement).stream().allMatch(step -> new PersonalParts(step).fit(most));
    }

    boolean isFor(Reduction reduction) {
        long most = mostBytes.getAsLong();
        return most > 0 && new PersonalReduction(reduction).fits(most);
    }

    private static ImmutableList<Movement> steps(Movement movement) {
        PersonalBcast bcast = PersonalBcast.of(movement);
        return bcast == null ? ImmutableList.of(movement) : ImmutableList.of(bcast.scattered(), bcast.gathered());
    }

    CompletableFuture<Void> move(String call, Movement movement, Rounds rounds) {
        ImmutableList<Movement> steps = steps(movement);
        CompletableFuture<Void> moved = CompletableFuture.completedFuture(null);
        for (int round = 0; round < steps.size(); round++) {
            int number = round;
            boolean isLast = round == steps.size() - 1;
            moved = moved.thenCompose(before -> move(number, isLast, call, steps.get(number), rounds));
        }
        return moved;
    }

    private CompletableFuture<Void> move(int round, boolean isLast, String call, Movement movement, Rounds rounds) {
        PersonalParts parts = new PersonalParts(movement);
        Executor executor = movement.isInMemory() ? Runnable::run : blocking;
        return CompletableFuture.supplyAsync(() -> own.orFailJob(call, parts::payloads), executor)
                .thenCompose(payloads -> rounds.deliver(round, call, payloads))
                .thenAcceptAsync(
                        received -> {
                            if (isLast) {
                                own.alone(call, () -> parts.place(received));
                            } else {
                                own.orFailJob(call, () -> parts.place(received));
                            }
                        },
                        executor);
    }

    CompletableFuture<Void> reduce(String call, Reduction reduction, Rounds rounds) {
        PersonalReduction sliced = new PersonalReduction(reduction);
        Executor executor = reduction.mayBlock() ? blocking : Runnable::run;
        CompletableFuture<Void> combined = CompletableFuture.supplyAsync(
                        () -> own.orFailJob(call, sliced::contributions), executor)
                .thenCompose(payloads -> rounds.deliver(0, call, payloads))
                .thenAcceptAsync(received -> own.orFailJob(call, () -> sliced.combine(received)), executor);
        CompletableFuture<Map<Integer, ByteBuffer>> results = sliced.hasResultsOfOthers()
                ? combined.thenCompose(done -> rounds.deliver(1, call, sliced.results()))
                : combined.thenApply(done -> Map.of());
        return results.thenAcceptAsync(received -> own.alone(call, () -> sliced.place(received)), executor);
    }
}
