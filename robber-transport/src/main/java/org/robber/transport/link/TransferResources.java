package org.robber.transport.link;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.robber.transport.digest.PieceHasher;

/**
 * The resources of a transfer.
 *
 * @param memoryBytes budget for pieces on their way, one half for each direction
 * @param encrypted whether the connections are: then the kernel can't send from files
 */
public record TransferResources(
        PieceHasher hasher,
        long memoryBytes,
        boolean encrypted,
        Executor storageThreads,
        EventExecutor executor,
        LongSupplier nanoTime) {}
