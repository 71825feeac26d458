package org.robber.transport.rendezvous;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.join.JoinableMulticast;

/**
 * All nodes of a job, held together by one control connection from each to rank 0. Thread-safe. Callbacks come from one
 * thread of its own and must not block.
 *
 * <p>The first failure, wherever it happens, ends the job everywhere: every pending and later future completes with it,
 * and {@link #onFailure} is told once.
 */
public interface ControlPlane extends AutoCloseable {

    /** This node. */
    int rank();

    /** Everyone. */
    Roster roster();

    /** What rank 0 alone may do; empty at all other nodes. */
    Optional<RankZeroControl> rankZero();

    /**
     * Begins this node's next collective call. The n-th call of each node must be the same call; if it isn't, the job
     * fails with {@link RobberException.Reason#USAGE}, naming the ranks and both calls.
     *
     * @param call the call and its arguments as text, compared across the nodes, such as {@code barrier}
     */
    CollectiveCall begin(String call);

    /** One collective call. */
    interface CollectiveCall {
        /**
         * This node has done its part. Completes once all have, with rank 0's reply.
         *
         * @param payload small: at most a MiB
         * @param reply used at rank 0 only: makes the reply for all from the payloads, one for each rank in order; a
         *     {@link RobberException} thrown by it fails the job
         */
        CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply);

        /**
         * At rank 0, before this node has arrived: until all have, nodes may join what this call is about. They are told of it, and
         * the call ends when they have everything, too, or are dropped. Of no effect elsewhere.
         */
        void letJoin(JoinableMulticast offer);

        /** Who had been lost when all others had arrived, by rank: the same on every node. To be asked after that. */
        SortedSet<Integer> lost();
    }

    /** Tells everyone, this node included, something small; see {@link #onPublish}. */
    void publish(String topic, byte[] payload);

    /** Where publications go, in the order in which rank 0 saw them. Those that came before are delivered now. */
    void onPublish(BiConsumer<String, byte[]> listener);

    /** Tells rank 0 how far this node is. */
    void report(Progress progress);

    /** Ends the job everywhere; only the first failure counts. */
    void fail(RobberException failure);

    /**
     * This node can't go on. If the job goes on without those that are lost, only this node has failed, and all its calls
     * do; else the job has.
     */
    void giveUp(RobberException failure);

    /** Where losses of other nodes that do not end the job go, in the order in which rank 0 noticed them; at once, those before. */
    void onLost(BiConsumer<Integer, RobberException> listener);

    /** Where nodes that join go, in the order of their ranks; at once, those that have joined before. */
    void onJoined(BiConsumer<Integer, Member> listener);

    /** At a node that had to give up: the code with which the job ended; fails if that can't be known any more. */
    CompletableFuture<Integer> conclusion();

    /** Where the first failure goes, at once if there was one already. */
    void onFailure(Consumer<RobberException> listener);

    /** Tells this one, which was given to {@link #onFailure}, no more: it is of no use any longer. */
    void forget(Consumer<RobberException> listener);

    /** Leaves: in peace if nothing has failed. Doesn't wait for the others. */
    @Override
    void close();
}
