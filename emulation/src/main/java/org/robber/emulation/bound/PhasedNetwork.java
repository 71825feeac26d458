package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.scenario.ClusterPair;
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

    /** Links times phases that all have layers of their own. A program of so many variables takes a minute or two. */
    private static final int MOST_STATES = 8_000;

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

    /**
     * The layers of time up to and with a phase. Flows and programs take time by the square of their number, or more. So with very many
     * phases, earlier ones share layers. The last few have their own, since a transfer may end in any of them.
     */
    Layers until(int last) {
        int together = phasesPerLayer();
        ImmutableList.Builder<ClusterNetwork> layers = ImmutableList.builder();
        ImmutableDoubleArray.Builder seconds = ImmutableDoubleArray.builder();
        int phase = 0;
        for (; last - phase >= together; phase += together) {
            layers.add(mean(phase, phase + together));
            seconds.add(starts[phase + together] - starts[phase]);
        }
        for (; phase <= last; phase++) {
            layers.add(networks.get(phase));
            seconds.add(phase < last ? duration(phase) : 0);
        }
        return new Layers(layers.build(), seconds.build().toArray());
    }

    /**
     * Layers of time.
     *
     * @param networks one for each layer
     * @param seconds how long each lasts; 0 for the last one
     */
    @SuppressWarnings("ArrayRecordComponent") // these are never compared
    record Layers(ImmutableList<ClusterNetwork> networks, double[] seconds) {}

    /** Whether no phases share a layer until a time. Otherwise more can pass in the layers than in the phases. */
    boolean isExactUntil(double seconds) {
        return phaseAt(seconds) < phasesPerLayer();
    }

    private int phasesPerLayer() {
        int states =
                networks.stream().mapToInt(network -> network.arcs().size()).sum();
        return states <= MOST_STATES ? starts.length : (int) Math.sqrt(starts.length);
    }

    /** Each link carries as much in the time of these phases as in the phases themselves, no more than access lines let it. */
    private ClusterNetwork mean(int from, int to) {
        Map<ClusterPair, Double> bytes = new TreeMap<>();
        for (int phase = from; phase < to; phase++) {
            for (Arc arc : networks.get(phase).arcs()) {
                double access = Math.min(
                        first().clusters().get(arc.from()).wanUp(),
                        first().clusters().get(arc.to()).wanDown());
                bytes.merge(arc.pair(), Math.min(arc.rate(), access) * duration(phase), Double::sum);
            }
        }
        double seconds = starts[to] - starts[from];
        return new ClusterNetwork(
                first().root(),
                first().clusters(),
                bytes.entrySet().stream()
                        .map(link -> new Arc(link.getKey(), link.getValue() / seconds))
                        .collect(ImmutableList.toImmutableList()));
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
