package org.robber.transport.join;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.robber.JoinedNode;
import org.robber.RobberException;

/** The nodes that join a job that runs, at rank 0. Thread-safe. */
public interface JoinerControl {

    /** Whether all members have come to the end of the multicast on offer, and joiners have not. */
    boolean isWaiting();

    /** The job goes on without the joiners that do not have everything yet; each is told why. */
    void drop(RobberException why);

    /**
     * Tells the joiners that have everything that it may be used, if the digest over all of it is this one; completes when
     * each has told what became of it, or is lost.
     *
     * @return all that have joined, by rank
     */
    CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll);
}
