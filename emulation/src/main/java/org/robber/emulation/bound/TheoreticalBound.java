package org.robber.emulation.bound;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.HashMap;
import java.util.Map;
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
    private final PhasedNetwork network;
    private final long budget;

    /** Phases often come again. */
    private final Map<ClusterNetwork, StaticBound> found = new HashMap<>();

    private final Map<Long, CollectiveBound> stored = new HashMap<>();

    private TheoreticalBound(PhasedNetwork network, long budget) {
        this.budget = budget;
        this.network = network;
    }

    /** The bound of a scenario. */
    public static TheoreticalBound of(Scenario scenario) {
        return of(scenario, PackingProgram.BUDGET);
    }

    /** With another budget of {@link PackingProgram#solve}. */
    static TheoreticalBound of(Scenario scenario, long budget) {
        return new TheoreticalBound(PhasedNetwork.of(scenario), budget);
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
        return network.secondsOf((double) dataBytes, this::bytesPerSecond);
    }

    /** Seconds until all nodes can have everything, with any strategy; infinite if that never happens. */
    public double storeSeconds(long dataBytes) {
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        if (network.isSteady() || dataBytes == 0) {
            return adaptSeconds(dataBytes);
        }
        return store(dataBytes).seconds();
    }

    /**
     * Whether {@link #adaptSeconds} and {@link #storeSeconds} of so many bytes are certain to be reachable. If not, they are lower
     * limits of the time, because the network has too many clusters to examine every cut, or too many phases to unroll each.
     */
    public boolean isProven(long dataBytes) {
        double adaptSeconds = adaptSeconds(dataBytes);
        for (int phase = 0; phase < network.starts().length && network.starts()[phase] <= adaptSeconds; phase++) {
            if (!bound(phase).isProven()) {
                return false;
            }
        }
        return network.isSteady() || dataBytes == 0 || store(dataBytes).isProven();
    }

    private synchronized CollectiveBound store(long dataBytes) {
        return stored.computeIfAbsent(
                dataBytes, bytes -> new StoreBound(network, budget).find((double) dataBytes, adaptSeconds(dataBytes)));
    }

    private synchronized StaticBound bound(int phase) {
        return found.computeIfAbsent(network.networks().get(phase), one -> StaticBound.of(one, budget));
    }
}
