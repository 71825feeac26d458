package org.robber.transport.rendezvous;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
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
 * and listeners of {@link #onFailure} are called once.
 */
public interface ControlPlane extends AutoCloseable {

    /** This node. */
    int rank();

    /** All nodes of the job. */
    Roster roster();

    /** The calls that only rank 0 may make; empty at all other nodes. */
    Optional<RankZeroControl> rankZero();

    /**
     * Begins this node's next collective call. The n-th call of each node must be the same call; if it isn't, the job
     * fails with {@link RobberException.Reason#USAGE}, naming the ranks and both calls.
     *
     * @param call the call and its arguments as text, compared across the nodes, such as {@code barrier}
     */
    CollectiveCall begin(String call);

    /** The oldest call that this node has begun and that has not ended; empty if there is none. */
    Optional<OpenCall> openCall();

    /** How many calls this node has begun. */
    long callsBegun();

    /**
     * A call that this node has begun.
     *
     * @param number how many calls were begun before it
     * @param call as in {@link #begin}
     */
    record OpenCall(long number, String call) {}

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

        /** As {@link #arrive(byte[], Function)}, with nothing to say. */
        default CompletableFuture<byte[]> arrive() {
            return arrive(new byte[0], payloads -> new byte[0]);
        }

        /**
         * At rank 0, before this node has arrived: until all have, nodes may join the multicast of this call. They get its description, and
         * the call ends when they have everything, too, or are dropped. Of no effect elsewhere.
         */
        void letJoin(JoinableMulticast offer);

        /** The nodes that were lost when all others had arrived, by rank: the same on every node. To be asked after that. */
        SortedSet<Integer> lost();
    }

    /**
     * Sends something small to all nodes, this one included; see {@link #onPublish}. Some topics go to rank 0 alone:
     * {@link org.robber.transport.control.ControlMessage.Publish#isForRankZero}.
     */
    void publish(String topic, byte[] payload);

    /** Sets the listener for publications, in the order in which rank 0 got them. Earlier ones are delivered now. */
    void onPublish(PublicationListener listener);

    /** Learns what nodes publish. */
    interface PublicationListener {
        /**
         * Something was published.
         *
         * @param from the node that has published it; rank 0 vouches for that
         */
        void published(int from, String topic, byte[] payload);
    }

    /**
     * Asks a node, through rank 0, to connect to this one.
     *
     * @param token chosen by this node, to know the connection by
     */
    void callBack(int peer, long token);

    /** Sets the listener for nodes that ask this one to connect to them, with their tokens. Earlier requests are delivered now. */
    void onCallBack(BiConsumer<Integer, Long> listener);

    /** Sets the listener for nodes that this one has asked by {@link #callBack}, and that have left the job in peace. They may be told several times. */
    void onLeft(IntConsumer listener);

    /** Tells rank 0 how far this node is. */
    void report(Progress progress);

    /** Ends the job everywhere; only the first failure counts. */
    void fail(RobberException failure);

    /**
     * This node can't go on. If the job goes on without those that are lost, only this node has failed, and all its calls
     * do; else the job has.
     */
    void giveUp(RobberException failure);

    /** Completes when rank 0 has answered what this node has failed with or given up for, if it has; within seconds. */
    CompletableFuture<Void> settled();

    /** Sets the listener for losses of other nodes that do not end the job, in the order of rank 0. Earlier ones are delivered now. */
    void onLost(BiConsumer<Integer, RobberException> listener);

    /** Sets the listener for nodes that join, in the order of their ranks. Earlier ones are delivered now. */
    void onJoined(BiConsumer<Integer, Member> listener);

    /** At a node that had to give up: the code with which the job ended; fails if that can't be known any more. */
    CompletableFuture<Integer> conclusion();

    /** Adds a listener for the first failure; it is called at once if there was one. */
    void onFailure(Consumer<RobberException> listener);

    /** Leaves: in peace if nothing has failed. Doesn't wait for the others. */
    @Override
    void close();
}
