package org.robber.transport.collective.personal;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.collective.member.OwnPart;
import org.robber.transport.collective.reduce.Reduction;

/**
 * Calls of middle size, whose members send what they have to those who want it in one message each. Pieces cost several messages each, and
 * the payload of a meeting for all goes to all.
 */
public final class PersonalCalls {
    /**
     * The most that one cluster may have for another if lines between them are long, and all nodes want it. A line of 2 MB/s needs as long for it as the messages and
     * trips that pieces take before they flow.
     */
    private static final long MOST_BYTES_FOR_ALL = 1 << 18;

    /** The same if nodes want different parts. Pieces gain later there, since only relays use other lines. */
    private static final long MOST_BYTES_FOR_ONE = 1 << 19;

    /** The clusters of the members. Those without long lines between them are one. */
    private final Topology topology;

    private final OwnPart own;
    private final Exchanges exchanges;
    private final Executor blocking;

    public PersonalCalls(Membership member, OwnPart own, Exchanges exchanges, Executor blocking) {
        this.topology = exchanges.hasLongLines() ? member.topology() : Topology.ofSizes(member.size());
        this.own = own;
        this.exchanges = exchanges;
        this.blocking = blocking;
    }

    /** Sends payloads to single members, and completes with what came for this one, by rank. */
    public interface Delivery {
        CompletableFuture<Map<Integer, ByteBuffer>> deliver(String call, PersonalPayloads payloads);
    }

    /** The steps of a call of middle size; null if it has another size. All members come to the same. */
    @Nullable
    public PersonalSteps steps(Movement movement) {
        long most = exchanges.mostPersonalBytes();
        return movement.totalBytes() > most
                ? null
                : PersonalMovement.of(movement, topology, most, MOST_BYTES_FOR_ALL, MOST_BYTES_FOR_ONE);
    }

    /** As {@link #steps(Movement)}. */
    @Nullable
    public PersonalSteps steps(Reduction reduction) {
        return topology.clusterCount() > 1 && reduction.vectorBytes() > MOST_BYTES_FOR_ALL
                ? null
                : HierarchicalReduction.of(reduction, topology, exchanges.mostPersonalBytes());
    }

    /**
     * Runs the steps. Ends when this member has what it wants, and has sent or shown what others want of it.
     *
     * @param mayBlock whether the steps may wait for a storage or a function of the user
     */
    public CompletableFuture<Void> run(String call, PersonalSteps steps, Delivery delivery, boolean mayBlock) {
        Executor executor = mayBlock ? blocking : Runnable::run;
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (int step = 0; step < steps.count(); step++) {
            int number = step;
            done = done.thenCompose(before -> run(call, steps, number, delivery, executor));
        }
        return mayBlock ? exchanges.watched(call, done) : done;
    }

    private CompletableFuture<Void> run(
            String call, PersonalSteps steps, int step, Delivery delivery, Executor executor) {
        boolean isLast = step == steps.count() - 1;
        return CompletableFuture.supplyAsync(() -> own.orFailJob(call, () -> steps.payloads(step)), executor)
                .thenCompose(payloads -> delivery.deliver(call, payloads))
                .thenAcceptAsync(
                        received -> {
                            // Others wait for what this member sends in a later step.
                            if (isLast) {
                                own.alone(call, () -> steps.take(step, received));
                            } else {
                                own.orFailJob(call, () -> steps.take(step, received));
                            }
                        },
                        executor);
    }
}
