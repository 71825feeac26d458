package org.robber.emulation.bound;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.scenario.Scenario;

/**
 * The theoretical maximum of a scenario: no strategy delivers the data to all nodes faster. Delays, headers and the time
 * that connections need to reach their rate are left out, so a real transfer never quite reaches it. Of lossy links the share
 * that is not lost counts.
 *
 * <p>Two maxima are defined where the network changes. {@linkplain #adaptSeconds Adapt} is that of the publication: at every moment
 * the best rate that the network of that moment allows for ever. A strategy can exceed it, because clusters can store data that a
 * fast link brings early. {@linkplain #storeSeconds Store} cannot be exceeded. Where nothing changes they are the same.
 *
 * <p>Everything is computed when it is first asked for. Thread-safe.
 */
public final class TheoreticalBound {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double[] phaseStarts;
    private final ImmutableList<ClusterNetwork> networks;
    private final long budget;
    private final @Nullable StaticBound[] found;
    private final Map<Long, StoreBound.Result> stored = new HashMap<>();

    private TheoreticalBound(double[] phaseStarts, ImmutableList<ClusterNetwork> networks, long budget) {
        this.budget = budget;
        this.phaseStarts = phaseStarts;
        this.networks = networks;
        this.found = new StaticBound[networks.size()];
    }

    /** The bound of a scenario. */
    public static TheoreticalBound of(Scenario scenario) {
        return of(scenario, PackingProgram.BUDGET);
    }

    /** With another budget of {@link PackingProgram#solve}. */
    static TheoreticalBound of(Scenario scenario, long budget) {
        return new TheoreticalBound(
                scenario.phases().stream()
                        .mapToDouble(phase -> phase.atNanos() / NANOS_PER_SECOND)
                        .toArray(),
                scenario.phases().stream()
                        .map(phase -> ClusterNetwork.of(scenario, phase))
                        .collect(ImmutableList.toImmutableList()),
                budget);
    }

    /**
     * The most bytes per second that all nodes can receive for ever, if a phase lasted for ever; 0 if some node cannot be
     * reached, infinite if nothing limits it.
     *
     * @param phase index in {@link Scenario#phases()}
     */
    public double bytesPerSecond(int phase) {
        return bound(phase).rate();
    }

    /**
     * Seconds until all nodes have everything, if at every moment the rate is the best that the network of that moment allows
     * for ever; infinite if that never happens.
     */
    public double adaptSeconds(long dataBytes) {
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        double left = dataBytes;
        for (int phase = 0; phase < phaseStarts.length; phase++) {
            double rate = bytesPerSecond(phase);
            double needed = left == 0 ? 0 : left / rate;
            if (needed <= duration(phase)) {
                return phaseStarts[phase] + needed;
            }
            left -= rate * duration(phase);
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Seconds until all nodes can have everything, with any strategy; infinite if that never happens. */
    public double storeSeconds(long dataBytes) {
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        if (networks.size() == 1 || dataBytes == 0) {
            return adaptSeconds(dataBytes);
        }
        return store(dataBytes).seconds();
    }

    /**
     * Whether {@link #adaptSeconds} and {@link #storeSeconds} of so many bytes are certain to be reachable. If not, they are lower
     * limits of the time, because the network has too many clusters to examine every cut.
     */
    public boolean isProven(long dataBytes) {
        double adaptSeconds = adaptSeconds(dataBytes);
        for (int phase = 0; phase < phaseStarts.length && phaseStarts[phase] <= adaptSeconds; phase++) {
            if (!bound(phase).isProven()) {
                return false;
            }
        }
        return networks.size() == 1 || dataBytes == 0 || store(dataBytes).isProven();
    }

    private synchronized StoreBound.Result store(long dataBytes) {
        StoreBound.Result result = stored.get(dataBytes);
        if (result == null) {
            result = new StoreBound(networks, phaseStarts, budget).find((double) dataBytes, adaptSeconds(dataBytes));
            stored.put(dataBytes, result);
        }
        return result;
    }

    private synchronized StaticBound bound(int phase) {
        StaticBound bound = found[phase];
        if (bound == null) {
            bound = StaticBound.of(networks.get(phase), budget);
            found[phase] = bound;
        }
        return bound;
    }

    private double duration(int phase) {
        return phase + 1 < phaseStarts.length ? phaseStarts[phase + 1] - phaseStarts[phase] : Double.POSITIVE_INFINITY;
    }
}
