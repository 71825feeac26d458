package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;

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

    /** The same with links that lose no packets. */
    public Phase withoutLoss() {
        return new Phase(
                atNanos,
                ImmutableSortedMap.copyOfSorted(Maps.transformValues(
                        links, link -> new LinkSpec(link.bytesPerSecond(), link.delayNanos(), /* loss= */ 0))));
    }
}
