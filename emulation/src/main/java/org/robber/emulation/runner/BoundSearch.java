package org.robber.emulation.runner;

import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.robber.emulation.bound.CollectiveBound;
import org.robber.emulation.bound.TheoreticalBound;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** Computes the bounds of scenarios. */
final class BoundSearch {

    private static final String PHASE = "bounds";

    private BoundSearch() {}

    /**
     * The bound of each scenario. A single step may take minutes, so the limit does not wait for its end.
     *
     * @throws ExperimentException if the limit passes before
     */
    static ImmutableMap<Scenario, Bound> bounds(
            ImmutableMap<Scenario, Collective> calls, long dataBytes, ExperimentLimit limit) {
        ImmutableMap.Builder<Scenario, Bound> bounds = ImmutableMap.builder();
        // The end of the process must not wait for a bound.
        ExecutorService thread = Executors.newSingleThreadExecutor(new ThreadFactoryBuilder()
                .setNameFormat("bound")
                .setDaemon(true)
                .build());
        try {
            calls.forEach((scenario, call) -> bounds.put(scenario, await(thread, scenario, call, dataBytes, limit)));
            return bounds.buildOrThrow();
        } finally {
            thread.shutdownNow();
        }
    }

    private static Bound await(
            ExecutorService thread, Scenario scenario, Collective call, long dataBytes, ExperimentLimit limit) {
        try {
            return thread.submit(() -> bound(scenario, call, dataBytes)).get(limit.leftNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ExperimentException(
                    Reason.DEADLINE,
                    PHASE,
                    "the deadline has passed while the bound of " + scenario.name()
                            + " was computed: give it more time, or fewer clusters or phases",
                    e);
        } catch (ExecutionException e) {
            throw new ExperimentException(Reason.INTERNAL, PHASE, scenario.name() + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts an experiment", e);
        }
    }

    private static Bound bound(Scenario scenario, Collective call, long dataBytes) {
        double copies = call.copies(scenario);
        if (call != Collective.MULTICAST) {
            CollectiveBound adapt = CollectiveBound.adapting(scenario, call, dataBytes);
            CollectiveBound store = CollectiveBound.of(scenario, call, dataBytes);
            return new Bound(
                    call, known(adapt.seconds()), known(store.seconds()), adapt.isProven() && store.isProven(), copies);
        }
        TheoreticalBound bound = TheoreticalBound.of(scenario);
        return new Bound(
                known(bound.adaptSeconds(dataBytes)),
                known(bound.storeSeconds(dataBytes)),
                bound.isProven(dataBytes),
                copies);
    }

    /** A bound of zero or of infinite time is useless as a measure. */
    private static double known(double seconds) {
        return seconds > 0 && seconds < Double.POSITIVE_INFINITY ? seconds : Double.NaN;
    }
}
