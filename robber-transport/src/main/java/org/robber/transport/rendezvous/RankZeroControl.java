package org.robber.transport.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.join.JoinableMulticast;

/** The part of the control plane that only rank 0 has. Thread-safe. */
public interface RankZeroControl {

    /** Sets the listener for the reports of all nodes, with their ranks. */
    void onProgress(BiConsumer<Integer, Progress> listener);

    /**
     * From now on, nodes other than rank 0 that are lost or give up do not end the job. Calls go on without them, with an
     * empty payload in their place.
     */
    void goOnWithoutLost();

    /** The job goes on without this node, which gets the reason. Not for rank 0 itself. */
    void expel(int rank, RobberException why);

    /** The nodes that have not come to the end of the collective call that others wait in, by rank. */
    CompletableFuture<List<Integer>> absent();

    /** How the clusters of the roster were found, for people. */
    String clusterOrigin();

    /** The nodes that join. */
    Joiners joiners();

    /** The job has ended with this code. Tells the nodes that had to give up and wait for it. */
    void conclude(int exitCode);

    /** Decisions about nodes that join. Thread-safe. */
    interface Joiners {
        /** Nodes may join this from now on, until all members have come to the end of the call of this number. */
        void letJoin(long call, JoinableMulticast offer);

        /** No node may join, not now and not later. */
        void refuse(String why);

        /** Whether all members have come to the end of the multicast that nodes could join, and joiners have not. */
        boolean isWaiting();

        /** The job goes on without the joiners that lack pieces; each gets the reason. */
        void drop(RobberException why);

        /**
         * Tells the joiners that have all pieces to use them, if the digest over all of them is this one. Completes when each has sent
         * its result, or is lost.
         *
         * @return all nodes that have joined, by rank
         */
        CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll);
    }
}
