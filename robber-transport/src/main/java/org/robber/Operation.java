package org.robber;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A collective call under way, begun by a method whose name starts with {@code i}. The buffers of the call belong to it until it has ended.
 * Many operations may be under way at once; each node begins them in the same order. Large calls of one communicator follow each other: a node
 * begins the next when it has nearly all of the one before. Calls of different communicators share the lines. Other nodes may bring data to calls that
 * a node has not begun. It keeps up to 64 MiB of each of them in its heap; beyond, the job fails. Thread-safe.
 *
 * @param <T> what the call gives; {@link Void} if the data are all
 */
public interface Operation<T> {

    /** Whether the operation has ended, well or not. Does not wait. */
    boolean test();

    /**
     * Waits until the operation has ended. An interruption ends this node's part in the job, since other nodes wait for it.
     *
     * @throws RobberException if the call has failed
     */
    T await();

    /**
     * Waits until the operation has ended, at most for so long. It goes on if it has not.
     *
     * @return whether it has ended well
     * @throws RobberException if the call has failed
     */
    boolean await(Duration timeout);

    /**
     * Gives up. A call cannot be taken back from the other nodes, so this node has no further part in the job: this call and all others fail
     * here, and calls that need this node fail elsewhere. Of no effect once the operation has ended.
     */
    void cancel();

    /** How much of this node's part is done, 0 to 1. Small data have 0 until they are there. */
    double progress();

    /**
     * Completes with the operation, with a {@link RobberException} if it fails. Actions that are not asynchronous run on a thread of the job, or on one
     * that waits for another call, and must not block.
     */
    CompletionStage<T> toCompletionStage();
}
