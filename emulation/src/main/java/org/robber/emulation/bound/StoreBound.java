package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;

/** The shortest time to bring an amount to all clusters while the network changes, and clusters keep what they have. */
final class StoreBound {
    private final ImmutableList<ClusterNetwork> networks;
    private final double[] starts;

    /**
     * Describes the network.
     *
     * @param networks one for each phase
     * @param starts when each begins, in seconds
     */
    StoreBound(ImmutableList<ClusterNetwork> networks, double[] starts) {
        this.networks = networks;
        this.starts = starts;
    }

    /** The seconds from the start of the transfer; infinite if it never ends. */
    double seconds(double amount) {
        double relaxed = Math.max(
                search(0, last -> flowSeconds(last, amount)),
                amount / networks.get(0).mostRate());
        double rate = amount / relaxed;
        if (Double.isInfinite(relaxed) || networks.stream().noneMatch(network -> network.needsProgram(rate))) {
            return relaxed;
        }
        return search(phaseAt(relaxed), last -> packingSeconds(last, amount));
    }

    /** How long a phase would have to last, were it the last. */
    @FunctionalInterface
    private interface LastSeconds {
        double of(int last);
    }

    /** The end of the transfer: in the first phase, from a given one on, that is long enough to be its last. */
    private double search(int from, LastSeconds lastSeconds) {
        int low = from;
        int high = starts.length - 1;
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
        return new TimeNetwork(networks.subList(0, last + 1)).lastSeconds(durations(last), amount);
    }

    private double packingSeconds(int last, double amount) {
        double[] seconds = durations(last);
        double ready = starts[last];
        // If the phase cannot do alone what is missing, the program says so by a time beyond its end.
        seconds[last] = ready > 0 ? ready : 1;
        return PackingProgram.ofTime(networks.subList(0, last + 1), seconds, amount)
                .solve();
    }

    private double[] durations(int last) {
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
