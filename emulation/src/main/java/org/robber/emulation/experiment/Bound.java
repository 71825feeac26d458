package org.robber.emulation.experiment;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.emulation.scenario.Collective;

/**
 * What a collective call needs at least in a scenario: the shortest time in seconds, {@link Double#NaN} if unknown, and the bytes to receive.
 *
 * @param call the call
 * @param adaptSeconds of an optimum that does not look ahead: at every moment the best static rate of that moment
 * @param storeSeconds of an optimum that knows the future, in which clusters store data that a fast link brings early
 * @param isProven whether both are certainly reachable; no strategy is faster in any case
 * @param neededCopies copies of the data that all nodes have to receive together; {@link Double#NaN} if unknown
 */
public record Bound(Collective call, double adaptSeconds, double storeSeconds, boolean isProven, double neededCopies) {

    /** Unknown. */
    public static final Bound UNKNOWN = new Bound(Double.NaN, Double.NaN, true, Double.NaN);

    /** The bound of a multicast. */
    public Bound(double adaptSeconds, double storeSeconds, boolean isProven, double neededCopies) {
        this(Collective.MULTICAST, adaptSeconds, storeSeconds, isProven, neededCopies);
    }

    public Bound {
        checkArgument(!(adaptSeconds < 0) && !(storeSeconds < 0), "%s and %s seconds", adaptSeconds, storeSeconds);
    }
}
