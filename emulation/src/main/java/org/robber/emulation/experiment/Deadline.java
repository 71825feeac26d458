package org.robber.emulation.experiment;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The time within which a run must be complete to succeed: seconds, or a multiple of the bound, which suits scenarios of any size.
 *
 * @param amount seconds, or multiples of the bound; infinite if there is no deadline
 * @param inBounds whether it is a multiple of the adapting bound
 */
public record Deadline(double amount, boolean inBounds) {

    /** Every run that ends succeeds. */
    public static final Deadline NONE = new Deadline(Double.POSITIVE_INFINITY, false);

    public Deadline {
        checkArgument(amount > 0, "amount: %s", amount);
    }

    /** Whether it is a number of seconds, whatever the bound. */
    public boolean isTime() {
        return !inBounds && Double.isFinite(amount);
    }

    /** Seconds from the start of a transfer with this bound; infinite if there is no deadline, or the bound is unknown. */
    public double seconds(Bound bound) {
        double seconds = inBounds ? amount * bound.adaptSeconds() : amount;
        return Double.isNaN(seconds) ? Double.POSITIVE_INFINITY : seconds;
    }
}
