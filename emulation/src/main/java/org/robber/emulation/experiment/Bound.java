package org.robber.emulation.experiment;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The shortest time in which a scenario lets the data reach every node, in seconds; {@link Double#NaN} if unknown.
 *
 * @param adaptSeconds of an optimum that does not look ahead: at every moment the best static rate of that moment
 * @param storeSeconds of an optimum that knows the future, in which clusters store data that a fast link brings early
 * @param isProven whether both are certainly reachable; no strategy is faster in any case
 */
public record Bound(double adaptSeconds, double storeSeconds, boolean isProven) {

    /** Unknown. */
    public static final Bound UNKNOWN = new Bound(Double.NaN, Double.NaN, true);

    public Bound {
        checkArgument(!(adaptSeconds < 0) && !(storeSeconds < 0), "%s and %s seconds", adaptSeconds, storeSeconds);
    }
}
