package org.robber;

import org.jspecify.annotations.Nullable;

/**
 * A node that joined a job while it ran, as rank 0 knows it in the end.
 *
 * @param rank its rank, above those of all nodes that were there from the start
 * @param name its cluster and index there, such as {@code B-3}
 * @param host the host that it runs on
 * @param cluster name of its cluster
 * @param bytesDone how much of the data it has, as far as it has said
 * @param result the last that it said ({@link Joiner#tell}), or null if it did not come to that
 * @param failure why it did not, or null if it did
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
public record JoinedNode(
        int rank,
        String name,
        String host,
        String cluster,
        long bytesDone,
        byte @Nullable [] result,
        @Nullable RobberException failure) {}
