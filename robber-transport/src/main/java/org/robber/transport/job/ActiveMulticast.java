package org.robber.transport.job;

import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.TransferStats;
import org.robber.transport.rendezvous.BlockingCalls;

/** A multicast of a channel that has begun and isn't flushed. */
interface ActiveMulticast {

    /** The multicast, for people. */
    String phase();

    /** Completes when all of it is here, and is what the root has. */
    CompletableFuture<?> verified();

    /** Returns once every node has everything, and no message is left to send. */
    void awaitEnd(BlockingCalls waiting);

    /** The nodes that were lost when all others had everything, by rank: the same on every node. To be asked after {@link #awaitEnd}. */
    SortedSet<Integer> lost();

    /** Counts of what it has moved, as this node sees it. */
    TransferStats stats();

    /** This node was lost. May be told twice. Thread-safe. */
    void lost(int rank, RobberException why);

    /** Ends it at this node. Thread-safe. */
    void close(RobberException why);

    /** Gives back its memory when nothing of it goes on. */
    void release();
}
