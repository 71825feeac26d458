package org.robber.transport.collective;

import com.google.common.base.Suppliers;
import com.google.common.primitives.Bytes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.collective.ExchangeTurns.Turn;
import org.robber.transport.memory.ReusedMemory;
import org.robber.transport.mesh.Meetings;

/**
 * Runs the calls of one communicator. Each begins with a meeting, in which calls that do not match are found. Few bytes are the payload of that meeting.
 * Near members send each other more bytes directly ({@link PersonalCalls}), or show each other their memory ({@link SharedCalls}). All else follows as an
 * {@link Exchange}, which ends with another meeting.
 * Thread-safe.
 */
public final class CallRunner {
    /** Bytes of all members in a meeting. A line of 1 MB/s needs as long for them as for the trips that begin an exchange. */
    static final int MOST_MEETING_BYTES = 1 << 16;

    /** Meetings of one stage have numbers in a row, in the order of their calls. */
    private static final int STAGE_SHIFT = 60;

    /** So do those of one round of a stage. */
    private static final int ROUND_SHIFT = 40;

    /** So much of the Java heap a call may fill with pieces that this node brings for others: an eighth. */
    private static final long HEAP_PER_RELAYED = 8;

    private static final byte[] NOTHING = {};

    private static final byte[] IMPOSSIBLE = {0};

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Membership member;
    private final Supplier<Meetings> meetings;
    private final Exchanges exchanges;
    private final Executor blocking;
    private final OwnPart own;
    private final PersonalCalls personal;
    private final SharedCalls shared;
    private final AtomicLong sharedMeetings = new AtomicLong();
    private final CallSequence calls;
    private final ExchangeTurns turns = new ExchangeTurns();
    /**
     * For pieces of reductions that are not the user's. While no calls are made it keeps half of the memory for pieces on their way: 6 products of 4 MiB, with
     * inputs of 8 mates, need 200 MiB. The collector frees the rest, too late for long calls: these then wait for new memory.
     */
    private final ReusedMemory<ByteBuffer> memory;

    /** The meetings of a call, by their numbers. */
    private enum Stage {
        BEGIN(0),
        DATA(1),
        END(2),
        MORE(3),
        AGAIN(4),
        SHARED(5);

        private final int number;

        Stage(int number) {
            this.number = number;
        }
    }

    /**
     * @param meetings of the job, for one that begins now
     * @param blocking threads that may read and write storages
     */
    public CallRunner(Membership member, Supplier<Meetings> meetings, Exchanges exchanges, Executor blocking) {
        this.member = member;
        this.meetings = meetings;
        this.exchanges = exchanges;
        this.blocking = blocking;
        this.memory = new ReusedMemory<>(
                exchanges.memoryBytes() / 2, ByteBuffer::allocateDirect, ByteBuffer::capacity, buffer -> {});
        this.own = new OwnPart(member);
        this.personal = new PersonalCalls(own, exchanges::mostPersonalBytes, blocking);
        this.shared = new SharedCalls(member, own, exchanges, blocking);
        this.calls = new CallSequence(member.waiting());
    }

    Membership member() {
        return member;
    }

    Executor blocking() {
        return blocking;
    }

    /** As {@link org.robber.Communicator#limitCalls}; null: no limit. */
    public void limitCalls(@Nullable Duration limit) {
        calls.limit(limit);
    }

    /** How long a caller may wait for a call to end; null: for ever. */
    public @Nullable Duration callLimit() {
        return calls.limit();
    }

    int pieceBytes(long totalBytes) {
        return exchanges.pieceBytes(totalBytes);
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
        return calls.begin(call, new CallProgress(), number -> meet(number, Stage.BEGIN, call, payload));
    }

    /** A call whose parts all members know. */
    Operation<Void> move(String call, Movement movement) {
        CallProgress progress = new CallProgress();
        Supplier<PartLayout> layout =
                isForMeeting(movement.broughtBytes()) ? () -> layout(movement) : Suppliers.ofInstance(layout(movement));
        return calls.begin(
                call,
                progress,
                number -> turns.inTurn(turn -> move(number, Stage.BEGIN, call, movement, layout, turn, progress)));
    }

    /** @throws IllegalArgumentException if the data have too many pieces */
    private PartLayout layout(Movement movement) {
        long totalBytes = movement.totalBytes();
        PartLayout layout = PartLayout.of(movement.parts(), exchanges.pieceBytes(totalBytes));
        int pieceBytes = exchanges.pieceBytes(totalBytes, () -> movement.placement(layout, 0));
        return pieceBytes == layout.pieceBytes() ? layout : PartLayout.of(movement.parts(), pieceBytes);
    }

    /** The same once a call has begun. All members find the same, so none waits for another. */
    private PartLayout layout(String call, Movement movement) {
        try {
            return layout(movement);
        } catch (IllegalArgumentException e) {
            throw new RobberException(
                    RobberException.Reason.USAGE, List.of(), call, "'" + call + "': " + e.getMessage(), e);
        }
    }

    /**
     * A call whose parts depend on what each member counts.
     *
     * @param counts of this member, any number of them
     * @param movement the parts, from the counts of all members by rank; a failure that it throws ends the job
     */
    Operation<Void> move(String call, long[] counts, Function<List<long[]>, Movement> movement) {
        return move(
                call,
                (number, text) -> tellAll(number, 0, text, encode(counts)),
                told -> movement.apply(told.stream().map(CallRunner::decode).toList()),
                Runnable::run);
    }

    /**
     * A call whose parts depend on what each member says.
     *
     * @param said of this member
     * @param movement what is left to move, from what all members have said by rank; a failure that it throws ends the job
     * @param executor on which {@code movement} is called
     */
    Operation<Void> move(
            String call, Supplier<byte[]> said, Function<List<byte[]>, Movement> movement, Executor executor) {
        return move(
                call, (number, text) -> meet(number, Stage.BEGIN, text, own.orFailJob(call, said)), movement, executor);
    }

    /** How members learn what the others say. */
    private interface Telling {
        CompletableFuture<List<byte[]>> tell(long number, String call);
    }

    private Operation<Void> move(
            String call, Telling telling, Function<List<byte[]>, Movement> movement, Executor executor) {
        CallProgress progress = new CallProgress();
        return calls.begin(
                call,
                progress,
                number -> turns.inTurn(turn -> telling.tell(number, call)
                        .thenComposeAsync(
                                met -> {
                                    Movement known = own.orFailJob(call, () -> movement.apply(met));
                                    return known.parts().isEmpty()
                                            ? DONE
                                            : move(
                                                    number,
                                                    Stage.DATA,
                                                    call + ", data",
                                                    known,
                                                    () -> layout(call, known),
                                                    turn,
                                                    progress);
                                },
                                executor)));
    }

    /**
     * Tells and hears what may be more than one meeting carries. Each member has an equal share of a meeting. Another meeting follows if a member has
     * filled its share.
     */
    private CompletableFuture<List<byte[]>> tellAll(long number, int round, String call, byte[] said) {
        int share = Meetings.MOST_BYTES / member.size();
        byte[] part = Arrays.copyOfRange(
                said, Math.min(said.length, round * share), Math.min(said.length, (round + 1) * share));
        return meet(number, round == 0 ? Stage.BEGIN : Stage.MORE, round, call, part)
                .thenCompose(parts -> parts.stream().noneMatch(each -> each.length == share)
                        ? CompletableFuture.completedFuture(parts)
                        : tellAll(number, round + 1, call, said).thenApply(rest -> joined(parts, rest)));
    }

    private static List<byte[]> joined(List<byte[]> first, List<byte[]> rest) {
        return IntStream.range(0, first.size())
                .mapToObj(each -> Bytes.concat(first.get(each), rest.get(each)))
                .toList();
    }

    /** Refuses further calls, and gives back the connections when all members have called this. Does not wait for members that are lost. */
    public void close() {
        PendingOperation<Void> closing = calls.beginLast(
                "close",
                number -> turns.inTurn(turn -> turn.take(() -> exchanges
                        .idle()
                        .thenCompose(idle -> turns.idle())
                        .thenCompose(idle -> meet(number, Stage.BEGIN, "close", NOTHING))
                        .<Void>thenApply(met -> null))));
        if (closing == null) {
            return;
        }
        try {
            closing.await();
            shared.close();
        } catch (RobberException e) {
            if (e.reason() != RobberException.Reason.NETWORK) {
                throw e;
            }
        } finally {
            exchanges.close();
        }
    }

    /** A call that combines data. */
    Operation<Void> reduce(String call, Reduction reduction) {
        CallProgress progress = new CallProgress();
        if (isForMeeting(reduction.broughtBytes())) {
            return calls.begin(call, progress, number -> reducePayloads(number, call, reduction));
        }
        PartLayout layout = reduction.layout(exchanges.pieceBytes(reduction.vectorBytes()));
        Supplier<ReductionPlan> plan = Suppliers.memoize(() -> reduction.plan().apply(layout));
        if (!shared.mayReduce() && !personal.isFor(reduction)) {
            // Too many pieces are refused before anything is sent.
            ReductionPlan unused = plan.get();
        }
        return calls.begin(
                call,
                progress,
                number -> turns.inTurn(turn -> reduceMuch(number, call, reduction, layout, plan, turn, progress)));
    }

    /** The meeting before an exchange, if it is the first of its call. Members that disagree on whether there is one are named. */
    private CompletableFuture<List<byte[]>> meetBeforePieces(long number, Stage stage, String call) {
        return stage == Stage.BEGIN
                ? meet(number, stage, call + ", in pieces", NOTHING)
                : CompletableFuture.completedFuture(List.of());
    }

    private CompletableFuture<Void> reducePayloads(long number, String call, Reduction reduction) {
        return meet(number, Stage.BEGIN, call, own.orFailJob(call, reduction::payload))
                .thenAcceptAsync(
                        payloads -> {
                            own.orFailJob(call, () -> reduction.combine(payloads));
                        },
                        reduction.mayBlock() ? blocking : Runnable::run);
    }

    /** As {@link #move}. */
    private CompletableFuture<Void> reduceMuch(
            long number,
            String call,
            Reduction reduction,
            PartLayout layout,
            Supplier<ReductionPlan> plan,
            Turn turn,
            CallProgress progress) {
        if (!shared.mayReduce()) {
            return reduceOverConnections(number, Stage.BEGIN, call, reduction, layout, plan, turn, progress);
        }
        return shareOrElse(
                number,
                Stage.BEGIN,
                call,
                !reduction.mayBlock(),
                turn,
                rounds -> shared.reduce(call, reduction, rounds, progress),
                () -> reduceOverConnections(number, Stage.AGAIN, call, reduction, layout, plan, turn, progress));
    }

    private CompletableFuture<Void> reduceOverConnections(
            long number,
            Stage stage,
            String call,
            Reduction reduction,
            PartLayout layout,
            Supplier<ReductionPlan> plan,
            Turn turn,
            CallProgress progress) {
        if (personal.isFor(reduction)) {
            return turns.oneByOne(turn, () -> personal.reduce(call, reduction, rounds(number, stage)));
        }
        return meetBeforePieces(number, stage, call)
                .thenComposeAsync(
                        met -> reducePieces(number, call, reduction, layout, plan.get(), turn, progress), blocking);
    }

    /**
     * Members meet, and tell whether they can share memory for a call. When its turn comes it goes through memory if all can, else over connections.
     *
     * @param stage of that meeting, the first of the call if it is the first stage
     * @param possible whether this member can
     */
    private CompletableFuture<Void> shareOrElse(
            long number,
            Stage stage,
            String call,
            boolean possible,
            Turn turn,
            Function<SharedWindows.Rounds, CompletableFuture<Void>> share,
            Supplier<CompletableFuture<Void>> overConnections) {
        // Such calls run one by one, and have as many rounds at all members, so the numbers of all calls are in a row.
        SharedWindows.Rounds rounds =
                payload -> meet(sharedMeetings.getAndIncrement(), Stage.SHARED, call + ", through memory", payload);
        return meet(number, stage, call + ", large", possible ? NOTHING : IMPOSSIBLE)
                .thenCompose(answers -> turn.comes()
                        .thenCompose(free -> answers.stream().allMatch(answer -> answer.length == 0)
                                ? shared.agree(rounds)
                                : CompletableFuture.completedFuture(false)))
                .thenCompose(
                        agreed -> agreed ? turns.oneByOne(turn, () -> share.apply(rounds)) : overConnections.get());
    }

    private CompletableFuture<Void> reducePieces(
            long number,
            String call,
            Reduction reduction,
            PartLayout layout,
            ReductionPlan plan,
            Turn turn,
            CallProgress progress) {
        // A contribution that the result replaces is copied, so a storage may fail here.
        ReductionExchange exchange =
                own.orFailJob(call, () -> ReductionExchange.of(reduction, layout, plan, memory, mostRelayedBytes()));
        // After a failure somebody may use the memory still.
        return exchange(
                        number,
                        call,
                        exchange.layout(),
                        exchange.placement(),
                        exchange.storage(),
                        exchange.products(),
                        turn,
                        progress)
                .thenRun(exchange.storage()::close);
    }

    private CompletableFuture<Void> movePayloads(long number, Stage stage, String call, Movement movement) {
        return meet(number, stage, call, own.orFailJob(call, movement::payload))
                .thenAcceptAsync(
                        payloads -> own.alone(call, () -> movement.place(call, payloads, member.group())),
                        movement.isInMemory() ? Runnable::run : blocking);
    }

    /** Memory for pieces that this node brings for others. */
    private static long mostRelayedBytes() {
        return Runtime.getRuntime().maxMemory() / HEAP_PER_RELAYED;
    }

    /** Moves few bytes in a meeting. More go through shared memory if the members find that they can, else over connections. */
    private CompletableFuture<Void> move(
            long number,
            Stage stage,
            String call,
            Movement movement,
            Supplier<PartLayout> layout,
            Turn turn,
            CallProgress progress) {
        if (isForMeeting(movement.broughtBytes())) {
            turn.pass();
            return movePayloads(number, stage, call, movement);
        }
        if (!shared.mayBeFor(movement)) {
            return moveOverConnections(number, stage, call, movement, layout, turn, progress);
        }
        return shareOrElse(
                number,
                stage,
                call,
                movement.isInMemory(),
                turn,
                rounds -> shared.move(call, movement, rounds, progress),
                () -> moveOverConnections(number, Stage.AGAIN, call, movement, layout, turn, progress));
    }

    private CompletableFuture<Void> moveOverConnections(
            long number,
            Stage stage,
            String call,
            Movement movement,
            Supplier<PartLayout> layout,
            Turn turn,
            CallProgress progress) {
        if (personal.isFor(movement)) {
            return turns.oneByOne(turn, () -> personal.move(call, movement, rounds(number, stage)));
        }
        return meetBeforePieces(number, stage, call)
                .thenCompose(met -> movePieces(number, call, movement, layout.get(), turn, progress));
    }

    private CompletableFuture<Void> movePieces(
            long number, String call, Movement movement, PartLayout layout, Turn turn, CallProgress progress) {
        PartStorage storage = new PartStorage(layout, movement.parts());
        DataPlacement placement = movement.placement(layout, mostRelayedBytes());
        return exchange(number, call, layout.pieces(), placement, storage, null, turn, progress)
                .thenRunAsync(() -> own.alone(call, movement::copyOwn), blocking);
    }

    /** Moves pieces, and returns when that is done at all members. */
    private CompletableFuture<Void> exchange(
            long number,
            String call,
            PieceLayout layout,
            DataPlacement placement,
            Storage storage,
            @Nullable Products products,
            Turn turn,
            CallProgress progress) {
        return turn.take(() -> exchanges.run(new Exchange(
                call,
                number,
                layout,
                placement,
                storage,
                products,
                digest -> meet(number, Stage.END, call + ", end", digest)
                        .thenAccept(digests -> DifferentData.check(call, digests, member.group())),
                bytes -> progress.done(bytes, layout.totalBytes()))));
    }

    private PersonalCalls.Rounds rounds(long number, Stage stage) {
        return (round, call, payloads) -> meetings.get()
                .deliver(
                        member.group(),
                        meetingNumber(number, stage, round),
                        call + ", directly" + (round == 0 ? "" : ", again"),
                        payloads);
    }

    private CompletableFuture<List<byte[]>> meet(long number, Stage stage, String call, byte[] payload) {
        return meet(number, stage, 0, call, payload);
    }

    private CompletableFuture<List<byte[]>> meet(long number, Stage stage, int round, String call, byte[] payload) {
        return meetings.get().meet(member.group(), meetingNumber(number, stage, round), call, payload);
    }

    private static long meetingNumber(long number, Stage stage, int round) {
        return ((long) stage.number << STAGE_SHIFT) + ((long) round << ROUND_SHIFT) + number;
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
