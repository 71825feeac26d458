package org.robber.transport.collective.data;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

/**
 * A part of the data of a call.
 *
 * @param sizeBytes at least 0
 * @param owners the ranks that have it when the call begins, at least one
 * @param wanters the ranks that want it; null for all
 * @param source where it is at this node; null if this node does not own it
 * @param target where it has to go at this node; null if nowhere, or if it is there already
 */
public record Part(
        long sizeBytes,
        ImmutableList<Integer> owners,
        @Nullable ImmutableList<Integer> wanters,
        @Nullable Region source,
        @Nullable Region target) {

    /** Whether the member of this rank gets it. */
    public boolean isWantedBy(int rank) {
        return wanters == null || wanters.contains(rank);
    }

    /** Where pieces of it are read and written during the call; null if this node has nothing to do with it. */
    @Nullable
    public Region place() {
        return source == null ? target : source;
    }
}
