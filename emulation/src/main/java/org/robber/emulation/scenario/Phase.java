package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;

/**
 * The state of the wide-area links from a moment on, until the next phase.
 *
 * @param atNanos when it begins, counted from the start of the transfer
 * @param links every link with all its values: values missing in a file are those of the phase before
 */
public record Phase(long atNanos, ImmutableSortedMap<ClusterPair, LinkSpec> links) {
    public Phase {
        checkArgument(atNanos >= 0, "atNanos: %s", atNanos);
    }
}
