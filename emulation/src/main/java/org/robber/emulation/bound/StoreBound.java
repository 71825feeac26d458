package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.function.DoublePredicate;

/** The shortest time to bring an amount to all clusters while the network changes. Clusters keep the data that they have. */
final class StoreBound {
    private final ImmutableList<ClusterNetwork> networks;
    private final double[] starts;
    private final long budget;

    /** Whether a program ended before all cuts were looked at, and its value is not the least that matters. */
    private boolean gaveUp;

    /**
     * Describes the network.
     *
     * @param networks one for each phase
     * @param starts when each begins, in seconds
     * @param budget of {@link PackingProgram#solve}
     */
    StoreBound(ImmutableList<ClusterNetwork> networks, double[] starts, long budget) {
        this.networks = networks;
        this.starts = starts;
        this.budget = budget;
    }

    /**
     * A time.
     *
     * @param seconds from the start of the transfer; infinite if it never ends
     * @param isProven whether it is certain that it can be reached; it cannot be undercut in any case
     */
    record Result(double seconds, boolean isProven) {}

    /**
     * The shortest time.
     *
     * @param reachable seconds that are enough in any case
     */
    Result find(double amount, double reachable) {
        double relaxed = Math.max(
                search(0, starts.length - 1, last -> flowSeconds(last, amount)),
                amount / networks.get(0).mostRate());
        double rate = amount / relaxed;
        if (relaxed >= reachable || networks.stream().noneMatch(network -> network.needsProgram(rate))) {
            return new Result(Math.min(relaxed, reachable), true);
        }
        double seconds = search(phaseAt(relaxed), phaseAt(reachable), last -> packingSeconds(last, amount, reachable));
        return new Result(Math.min(reachable, seconds), !gaveUp);
    }

    /** How long a phase would have to last, were it the last. */
    @FunctionalInterface
    private interface LastSeconds {
        double of(int last);
    }

    /** The end of the transfer: in the first of some phases that is long enough to be its last. */
    private double search(int first, int end, LastSeconds lastSeconds) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] + lastSeconds.of(middle) <= starts[middle + 1]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return starts[low] + lastSeconds.of(low);
    }

    private double flowSeconds(int last, double amount) {
        return new TimeNetwork(networks.subList(0, last + 1)).lastSeconds(durations(starts, last), amount);
    }

    private double packingSeconds(int last, double amount, double reachable) {
        double[] seconds = durations(starts, last);
        double end = last + 1 < starts.length ? Math.min(starts[last + 1], reachable) : reachable;
        double most = end - starts[last];
        seconds[last] = most > 0 && Double.isFinite(most) ? most : 1;
        DoublePredicate enough = value -> value >= most * (1 - 1e-9);
        PackingProgram program = PackingProgram.ofTime(networks.subList(0, last + 1), seconds, amount);
        double found = program.solve(enough, budget);
        gaveUp |= Double.isFinite(found) && !program.isReached() && !enough.test(found);
        return found;
    }

    /** The durations of the phases up to one, whose own entry is 0. */
    static double[] durations(double[] starts, int last) {
        double[] seconds = new double[last + 1];
        for (int phase = 0; phase < last; phase++) {
            seconds[phase] = starts[phase + 1] - starts[phase];
        }
        return seconds;
    }

    private int phaseAt(double time) {
        int found = Arrays.binarySearch(starts, time);
        return found >= 0 ? found : -found - 2;
    }
}
