package org.robber.transport.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.core.protocol.ControlMessage.Progress;
import org.robber.core.protocol.ControlMessage.Roster;

/**
 * All nodes of a job, held together by one control connection from each to rank 0. Thread-safe. Callbacks come from one
 * thread of the assembly's own and must not block.
 *
 * <p>The first failure, wherever it happens, ends the job everywhere: every pending and later future completes with it,
 * and {@link #onFailure} is told once.
 */
public interface Assembly extends AutoCloseable {

    /** This node. */
    int rank();

    /** Everyone. */
    Roster roster();

    /**
     * Begins this node's next collective call. The n-th call of each node must be the same call; if it isn't, the job
     * fails with {@link RobberException.Reason#USAGE}, naming the ranks and both calls.
     *
     * @param call the call and its arguments as text, compared across the nodes, such as {@code barrier}
     */
    Meeting begin(String call);

    /** One collective call. */
    interface Meeting {
        /**
         * This node has done its part. Completes once all have, with rank 0's reply.
         *
         * @param payload small: at most a MiB
         * @param reply used at rank 0 only: makes the reply for all from the payloads, one for each rank in order; a
         *     {@link RobberException} thrown by it fails the job
         */
        CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply);
    }

    /** Tells everyone, this node included, something small; see {@link #onPublish}. */
    void publish(String topic, byte[] payload);

    /** Where publications go, in the order in which rank 0 saw them. Those that came before are delivered now. */
    void onPublish(BiConsumer<String, byte[]> listener);

    /** Tells rank 0 how far this node is. */
    void report(Progress progress);

    /** At rank 0: where the reports of all nodes go, with the rank of each. */
    void onProgress(BiConsumer<Integer, Progress> listener);

    /** Ends the job everywhere; only the first failure counts. */
    void fail(RobberException failure);

    /**
     * At rank 0: from now on, nodes other than rank 0 that are lost or fail do not end the job. Calls go on without them, with
     * an empty payload in their place.
     *
     * @param listener told who is lost, and why
     */
    void goOnWithoutLost(BiConsumer<Integer, RobberException> listener);

    /** Where the first failure goes, at once if there was one already. */
    void onFailure(Consumer<RobberException> listener);

    /** Tells this one, which was given to {@link #onFailure}, no more: it is of no use any longer. */
    void forget(Consumer<RobberException> listener);

    /** Leaves: in peace if nothing has failed. Doesn't wait for the others. */
    @Override
    void close();
}
