package org.robber.transport.collective;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.collective.CallMeetings.Stage;
import org.robber.transport.collective.data.DifferentData;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.data.PartStorage;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.collective.member.OwnPart;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.reduce.ReductionExchange;
import org.robber.transport.collective.reduce.ReductionProducts;
import org.robber.transport.collective.reduce.ReductionStorage;

/** Calls whose data move in pieces: an {@link Exchange}, which ends with a meeting. */
final class PieceCalls {
    /** So much of the Java heap a call may fill with pieces that this node brings for others: an eighth. */
    private static final long HEAP_PER_RELAYED = 8;

    private static final CompletableFuture<Void> NOTHING_TO_DO = CompletableFuture.completedFuture(null);

    private final Membership member;
    private final OwnPart own;
    private final CallMeetings meetings;
    private final Exchanges exchanges;
    private final Executor blocking;

    PieceCalls(Membership member, OwnPart own, CallMeetings meetings, Exchanges exchanges, Executor blocking) {
        this.member = member;
        this.own = own;
        this.meetings = meetings;
        this.exchanges = exchanges;
        this.blocking = blocking;
    }

    /** @throws IllegalArgumentException if the data have too many pieces */
    PartLayout layout(Movement movement) {
        long totalBytes = movement.totalBytes();
        PartLayout layout = PartLayout.of(movement.parts(), exchanges.pieceBytes(totalBytes));
        int pieceBytes = exchanges.pieceBytes(totalBytes, () -> movement.placement(layout, 0));
        return pieceBytes == layout.pieceBytes() ? layout : PartLayout.of(movement.parts(), pieceBytes);
    }

    /** The same once a call has begun. All members find the same, so none waits for another. */
    PartLayout layout(String call, Movement movement) {
        try {
            return layout(movement);
        } catch (IllegalArgumentException e) {
            throw new RobberException(Reason.USAGE, List.of(), call, "'" + call + "': " + e.getMessage(), e);
        }
    }

    PartLayout layout(Reduction reduction) {
        return reduction.layout(exchanges.reductionPieceBytes(reduction.vectorBytes()));
    }

    CompletableFuture<Void> move(BegunCall call, Movement movement, PartLayout layout) {
        PartStorage storage = new PartStorage(layout, movement.parts());
        DataPlacement placement = movement.placement(layout, mostRelayedBytes());
        return exchange(call, layout.pieces(), placement, storage, null, () -> NOTHING_TO_DO)
                .thenRunAsync(() -> own.alone(call.name(), movement::copyOwn), blocking);
    }

    CompletableFuture<Void> reduce(BegunCall call, Reduction reduction, PartLayout layout, ReductionPlan plan) {
        ReductionExchange exchange = own.orFailJob(
                call.name(),
                () -> ReductionExchange.of(reduction, layout, plan, ReductionStorage.OF_PROCESS, mostRelayedBytes()));
        // Calls that wait for others need no memory yet: many may be under way.
        Supplier<CompletableFuture<Void>> preparation = () -> exchanges.watched(
                call.name(), oneByOne(call.name(), exchange.storage().keeping()));
        // After a failure somebody may use the memory still.
        return exchange(
                        call,
                        exchange.layout(),
                        exchange.placement(),
                        exchange.storage(),
                        exchange.products(),
                        preparation)
                .thenRun(exchange.storage()::close);
    }

    /** Tasks that have not begun when the part is ended from outside do nothing. */
    private CompletableFuture<Void> oneByOne(String call, List<Runnable> tasks) {
        CompletableFuture<Void> part = new CompletableFuture<>();
        CompletableFuture<Void> last = NOTHING_TO_DO;
        for (Runnable task : tasks) {
            last = last.thenRunAsync(
                    () -> {
                        if (!part.isDone()) {
                            own.orFailJob(call, task);
                        }
                    },
                    blocking);
        }
        last.whenComplete((done, problem) -> {
            if (problem == null) {
                part.complete(null);
            } else {
                part.completeExceptionally(problem);
            }
        });
        return part;
    }

    /** Memory for pieces that this node brings for others. */
    private static long mostRelayedBytes() {
        return Runtime.getRuntime().maxMemory() / HEAP_PER_RELAYED;
    }

    /** Moves pieces, and returns when that is done at all members. */
    private CompletableFuture<Void> exchange(
            BegunCall call,
            PieceLayout layout,
            DataPlacement placement,
            Storage storage,
            @Nullable ReductionProducts products,
            Supplier<CompletableFuture<Void>> preparation) {
        return call.turn()
                .take(() -> exchanges.run(new Exchange(
                        call.name(),
                        call.number(),
                        layout,
                        placement,
                        storage,
                        products,
                        preparation,
                        digest -> meetings.meet(call.at(Stage.END), ", end", digest)
                                .thenAccept(digests -> DifferentData.check(call.name(), digests, member.group())),
                        bytes -> call.progress().done(bytes, layout.totalBytes()))));
    }
}
