package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.robber.emulation.scenario.Scenario;

/**
 * A network that changes: what it is in each phase, and when phases begin.
 *
 * @param networks one for each phase
 * @param starts when each begins, in seconds; the first at 0
 */
@SuppressWarnings("ArrayRecordComponent") // these are never compared
record PhasedNetwork(ImmutableList<ClusterNetwork> networks, double[] starts) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** The network of a scenario. */
    static PhasedNetwork of(Scenario scenario) {
        return new PhasedNetwork(
                scenario.phases().stream()
                        .map(phase -> ClusterNetwork.of(scenario, phase))
                        .collect(ImmutableList.toImmutableList()),
                scenario.phases().stream()
                        .mapToDouble(phase -> phase.atNanos() / NANOS_PER_SECOND)
                        .toArray());
    }

    /** Whether nothing changes. */
    boolean isSteady() {
        return starts.length == 1;
    }

    /** The network of the first phase. */
    ClusterNetwork first() {
        return networks.get(0);
    }

    /** The networks of the phases up to and with this one. */
    ImmutableList<ClusterNetwork> until(int last) {
        return networks.subList(0, last + 1);
    }

    /** The durations of the phases up to and with this one, whose own entry is 0. */
    double[] durationsUntil(int last) {
        double[] seconds = new double[last + 1];
        for (int phase = 0; phase < last; phase++) {
            seconds[phase] = duration(phase);
        }
        return seconds;
    }

    /** When a phase ends; infinite for the last. */
    double end(int phase) {
        return phase + 1 < starts.length ? starts[phase + 1] : Double.POSITIVE_INFINITY;
    }

    private double duration(int phase) {
        return end(phase) - starts[phase];
    }

    /** The phase of a time. */
    int phaseAt(double seconds) {
        int found = Arrays.binarySearch(starts, seconds);
        return found >= 0 ? found : -found - 2;
    }

    /**
     * When an amount has passed; infinite if it never has.
     *
     * @param rate of a phase, by its number
     */
    double secondsOf(double amount, IntToDoubleFunction rate) {
        double left = amount;
        for (int phase = 0; phase < starts.length; phase++) {
            double perSecond = rate.applyAsDouble(phase);
            double needed = left <= 0 ? 0 : left / perSecond;
            if (needed <= duration(phase)) {
                return starts[phase] + needed;
            }
            left -= perSecond * duration(phase);
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * The end of a transfer: in the first of some phases that is long enough to be its last. If one is, so is each after it: the search
     * halves.
     *
     * @param lastSeconds how long a phase would have to last, were it the last
     */
    double endOf(int firstPhase, int lastPhase, IntToDoubleFunction lastSeconds) {
        int low = firstPhase;
        int high = lastPhase;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] + lastSeconds.applyAsDouble(middle) <= starts[middle + 1]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return starts[low] + lastSeconds.applyAsDouble(low);
    }

    /** The same for a transfer that may end in any phase. */
    double endOf(IntToDoubleFunction lastSeconds) {
        return endOf(0, starts.length - 1, lastSeconds);
    }
}
