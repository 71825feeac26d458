package org.robber.transport.collective;

import com.google.common.base.Suppliers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.transport.collective.CallMeetings.Stage;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.collective.member.CallProgress;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.collective.member.OwnPart;
import org.robber.transport.collective.personal.PersonalCalls;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.shared.SharedCalls;
import org.robber.transport.mesh.Meetings;

/**
 * Runs the calls of one communicator. Each begins with a meeting, in which calls that do not match are found. Few bytes are the payload of that meeting. More
 * are moved by {@link LargeCalls}. Thread-safe.
 */
public final class CallRunner {
    /** Bytes of all members in a meeting. A line of 1 MB/s needs as long for them as for the trips that begin an exchange. */
    static final int MOST_MEETING_BYTES = 1 << 16;

    private static final byte[] NOTHING = {};

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Membership member;
    private final Exchanges exchanges;
    private final Executor blocking;
    private final OwnPart own;
    private final CallMeetings meetings;
    private final PieceCalls pieces;
    private final LargeCalls large;
    private final CallSequence calls;
    private final ExchangeTurns turns = new ExchangeTurns();

    /**
     * @param meetings of the job, for one that begins now
     * @param blocking threads that may read and write storages
     */
    public CallRunner(Membership member, Supplier<Meetings> meetings, Exchanges exchanges, Executor blocking) {
        this.member = member;
        this.exchanges = exchanges;
        this.blocking = blocking;
        this.own = new OwnPart(member);
        this.meetings = new CallMeetings(member.group(), meetings);
        this.pieces = new PieceCalls(member, own, this.meetings, exchanges, blocking);
        this.large = new LargeCalls(
                this.meetings,
                turns,
                blocking,
                new SharedCalls(member, own, exchanges, blocking),
                new PersonalCalls(member, own, exchanges, blocking),
                pieces);
        this.calls = new CallSequence(member.waiting());
    }

    Membership member() {
        return member;
    }

    /** As {@link org.robber.Communicator#limitCalls}, looked up at each call; null: no limit. */
    public void limitCalls(Supplier<@Nullable Duration> limit) {
        calls.limit(limit);
    }

    /** How long a caller may wait for a call to end; null: for ever. */
    public @Nullable Duration callLimit() {
        return calls.limit();
    }

    /** Whether the bytes that all members bring together are few. They are then payloads of a meeting. */
    boolean isForMeeting(long broughtBytes) {
        return broughtBytes <= MOST_MEETING_BYTES;
    }

    /** As {@link Exchanges#reductions}. */
    ReductionPlanner reductions() {
        return exchanges.reductions();
    }

    /** A call in which all say something, and learn what the others say. */
    public Operation<List<byte[]>> tell(String call, byte[] payload) {
        return calls.begin(call, new CallProgress(), number -> meetings.meet(number, Stage.BEGIN, call, payload));
    }

    /** A call whose parts all members know. */
    Operation<Void> move(String name, Movement movement) {
        Supplier<PartLayout> layout = isForMeeting(movement.broughtBytes())
                ? () -> pieces.layout(movement)
                : Suppliers.ofInstance(pieces.layout(movement));
        return inTurn(name, call -> move(call, movement, layout), Function.identity());
    }

    /** A call that may have an exchange. */
    private <T> Operation<T> inTurn(
            String name, Function<BegunCall, CompletableFuture<Void>> body, Function<Void, T> result) {
        CallProgress progress = new CallProgress();
        return calls.begin(
                name,
                progress,
                number -> turns.inTurn(turn -> body.apply(new BegunCall(number, Stage.BEGIN, name, turn, progress)))
                        .thenApply(result));
    }

    /**
     * A call whose parts depend on what each member counts.
     *
     * @param counts of this member, any number of them
     * @param movement the parts, from the counts of all members by rank; a failure that it throws ends the job
     */
    Operation<Void> move(String name, long[] counts, Function<List<long[]>, Movement> movement) {
        return move(
                name,
                call -> meetings.tellAll(call.number(), name, encode(counts)),
                told -> movement.apply(told.stream().map(CallRunner::decode).toList()),
                /* mayBlock= */ false,
                Function.identity());
    }

    /**
     * A call whose parts depend on what each member says.
     *
     * @param said of this member
     * @param movement what is left to move, from what all members have said by rank; a failure that it throws ends the job
     * @param mayBlock whether {@code movement} may wait for a storage or a function of the user
     * @param result of this member, once all is moved
     */
    <T> Operation<T> move(
            String name,
            Supplier<byte[]> said,
            Function<List<byte[]>, Movement> movement,
            boolean mayBlock,
            Supplier<T> result) {
        return move(
                name,
                call -> meetings.meet(call, "", own.orFailJob(name, said)),
                movement,
                mayBlock,
                moved -> result.get());
    }

    /** @param telling by which members learn what the others say */
    private <T> Operation<T> move(
            String name,
            Function<BegunCall, CompletableFuture<List<byte[]>>> telling,
            Function<List<byte[]>, Movement> movement,
            boolean mayBlock,
            Function<Void, T> result) {
        return inTurn(
                name,
                call -> telling.apply(call)
                        .thenCompose(met ->
                                ownPart(name, mayBlock, () -> own.orFailJob(name, () -> movement.apply(met))))
                        .thenCompose(told -> moveData(call, told)),
                result);
    }

    /** Does this member's own part of a call. If it may wait for a storage or a function of the user, it is watched, and holds up no connection. */
    private <T> CompletableFuture<T> ownPart(String call, boolean mayBlock, Supplier<T> part) {
        return mayBlock
                ? exchanges.watched(call, CompletableFuture.supplyAsync(part, blocking))
                : CompletableFuture.completedFuture(part.get());
    }

    private CompletableFuture<Void> runOwnPart(String call, boolean mayBlock, Runnable part) {
        return ownPart(call, mayBlock, () -> {
                    part.run();
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** Moves what members have told of. Few bytes are read at once, and by a thread that may wait if the storage may block. */
    private CompletableFuture<Void> moveData(BegunCall call, Movement movement) {
        if (movement.parts().isEmpty()) {
            return DONE;
        }
        Supplier<CompletableFuture<Void>> data =
                () -> move(call.ofData(), movement, () -> pieces.layout(call.name(), movement));
        boolean mayBlock = !movement.isInMemory() && isForMeeting(movement.broughtBytes());
        return ownPart(call.name(), mayBlock, data).thenCompose(Function.identity());
    }

    /**
     * Refuses further calls, and gives back the connections when all members have called this. Does not wait for members that are lost.
     *
     * @param closed run at the end, once, and not if the close is refused because a call is under way
     */
    public void close(Runnable closed) {
        PendingOperation<Void> closing = calls.beginLast(
                "close",
                number -> turns.inTurn(turn -> turn.take(() -> exchanges
                        .idle()
                        .thenCompose(idle -> turns.idle())
                        .thenCompose(idle -> meetings.meet(number, Stage.BEGIN, "close", NOTHING))
                        .<Void>thenApply(met -> null))));
        if (closing == null) {
            return;
        }
        try {
            closing.awaitLast();
            large.close();
        } catch (RobberException e) {
            if (e.reason() != RobberException.Reason.NETWORK) {
                throw e;
            }
        } finally {
            exchanges.close();
            closed.run();
        }
    }

    /** A call that combines data. */
    Operation<Void> reduce(String name, Reduction reduction) {
        if (isForMeeting(reduction.broughtBytes())) {
            return calls.begin(name, new CallProgress(), number -> reducePayloads(number, name, reduction));
        }
        PartLayout layout = pieces.layout(reduction);
        Supplier<ReductionPlan> plan = large.plan(reduction, layout);
        return inTurn(name, call -> large.run(call, large.call(call, reduction, layout, plan)), Function.identity());
    }

    private CompletableFuture<Void> reducePayloads(long number, String call, Reduction reduction) {
        return meetings.meet(number, Stage.BEGIN, call, own.orFailJob(call, reduction::payload))
                .thenCompose(payloads -> runOwnPart(
                        call, reduction.mayBlock(), () -> own.orFailJob(call, () -> reduction.combine(payloads))));
    }

    /** Moves few bytes in a meeting. */
    private CompletableFuture<Void> move(BegunCall call, Movement movement, Supplier<PartLayout> layout) {
        if (isForMeeting(movement.broughtBytes())) {
            CompletableFuture<Void> moved = movePayloads(call, movement);
            // The next turn may be that of the close, so the meeting has to be begun before.
            call.turn().pass();
            return moved;
        }
        return large.run(call, large.call(call, movement, layout));
    }

    private CompletableFuture<Void> movePayloads(BegunCall call, Movement movement) {
        String name = call.name();
        return meetings.meet(call, "", own.orFailJob(name, movement::payload))
                .thenCompose(payloads -> runOwnPart(
                        name,
                        !movement.isInMemory(),
                        () -> own.alone(name, () -> movement.place(name, payloads, member.group()))));
    }

    private static byte[] encode(long[] counts) {
        ByteBuffer bytes = ByteBuffer.allocate(counts.length * Long.BYTES);
        bytes.asLongBuffer().put(counts);
        return bytes.array();
    }

    private static long[] decode(byte[] bytes) {
        long[] counts = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(counts);
        return counts;
    }
}
