package org.robber.transport.collective.exchange;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;

/** Runs exchanges of one group. Thread-safe. */
public interface Exchanges {

    /** The size of pieces that fits so many bytes. */
    int pieceBytes(long totalBytes);

    /**
     * The size of pieces that fits data of which a cluster gets or gives only a part.
     *
     * @param placement of the data in pieces of the size that fits so many bytes; called if it matters
     */
    int pieceBytes(long totalBytes, Supplier<DataPlacement> placement);

    /** The most bytes of a call that members send each other in personal messages; 0 if there shall be none. */
    long mostPersonalBytes();

    /** Whether lines between the clusters of the members are slower than those inside; the same at all members. */
    boolean hasLongLines();

    /** The size of the pieces of a reduction. */
    int reductionPieceBytes(long vectorBytes);

    /** Whether all members are processes of one machine, and data need not go in pieces; the same at all members. */
    boolean isOneMachine();

    /** Whether this node may show the others of its machine its data. */
    boolean mayShareMemory();

    /** Which member combines what in reductions. */
    ReductionPlanner reductions();

    /**
     * Runs an exchange. All members run the same ones, in the same order. The next one may begin here before the one before has ended.
     *
     * @return completes when the exchange is over at all members: no message of it is under way, and its storage is not used any more. Fails with a {@link
     *     org.robber.RobberException} if a member or the job does
     */
    CompletableFuture<Void> run(Exchange exchange);

    /**
     * Watches a part of a call in which this member reads, writes or combines outside of an exchange. If that hangs, the job fails.
     *
     * @return the part, which fails with the job or with the loss of a member, though a storage hangs
     */
    <T> CompletableFuture<T> watched(String call, CompletableFuture<T> part);

    /** Completes when none is under way at this member. */
    CompletableFuture<Void> idle();

    /** Gives back the connections. No exchange may be under way at any member, or follow. */
    void close();
}
