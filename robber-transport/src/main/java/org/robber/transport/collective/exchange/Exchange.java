package org.robber.transport.collective.exchange;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.collective.reduce.ReductionProducts;

/**
 * A call whose data move in pieces. The same at all members but for the storage and what follows.
 *
 * @param call the call and its arguments, for people
 * @param number of the call in its group
 * @param layout of the data
 * @param placement who has and who wants which pieces, by ranks in the group
 * @param storage the pieces of this node
 * @param products the pieces that this node produces; null if the call has none
 * @param preparation done before this node reads or gets a piece, when the exchanges before are nearly over
 * @param agreement called when this node has everything, with the digest over all pieces if all members want them, else without bytes; completes when
 *     every member has called it
 * @param progress told how many bytes of the layout this node has, or does not want
 */
public record Exchange(
        String call,
        long number,
        PieceLayout layout,
        DataPlacement placement,
        Storage storage,
        @Nullable ReductionProducts products,
        Supplier<CompletableFuture<Void>> preparation,
        Function<byte[], CompletableFuture<?>> agreement,
        LongConsumer progress) {}
