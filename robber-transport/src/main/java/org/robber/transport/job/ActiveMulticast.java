package org.robber.transport.job;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CompletableFuture;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A multicast that has begun and isn't flushed.
 *
 * @param joinable whether nodes may join it
 * @param verified completes when all of it is here, and is what the root has
 * @param everyoneHasIt completes when that is so everywhere
 * @param reports of how far this node is, to be cancelled
 */
record ActiveMulticast(
        String phase,
        boolean joinable,
        RootDigest rootDigest,
        Transfer transfer,
        TransferTally tally,
        CompletableFuture<?> verified,
        CollectiveCall collectiveCall,
        CompletableFuture<byte[]> everyoneHasIt,
        ScheduledFuture<?> reports) {}
