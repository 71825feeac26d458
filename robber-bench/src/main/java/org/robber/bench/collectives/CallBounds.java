package org.robber.bench.collectives;

import com.google.common.collect.ImmutableMap;
import org.robber.emulation.bound.CollectiveBound;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;

/** The shortest times that calls can take in a network, where rank 0 is the root, whichever the scenario has. */
final class CallBounds {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private static final ImmutableMap<String, Collective> COLLECTIVES = ImmutableMap.<String, Collective>builder()
            .put("bcast", Collective.MULTICAST)
            .put("multicast", Collective.MULTICAST)
            .put("stream", Collective.MULTICAST)
            .put("allGather", Collective.ALLGATHER)
            .put("gather", Collective.GATHER)
            .put("scatter", Collective.SCATTER)
            .put("allToAll", Collective.ALLTOALL)
            .put("reduce", Collective.REDUCE)
            .put("allReduce", Collective.ALLREDUCE)
            .put("reduceScatter", Collective.REDUCESCATTER)
            .put("scan", Collective.SCAN)
            .put("exScan", Collective.EXSCAN)
            .buildOrThrow();

    private final Scenario scenario;

    CallBounds(Scenario scenario) {
        this.scenario = new Scenario(
                scenario.name(),
                scenario.description(),
                scenario.origin(),
                new NodePlace(0, 0),
                scenario.clusters(),
                scenario.phases());
    }

    /** The least time in microseconds: that of the bytes on their way, and one trip between the clusters that are farthest
     * from each other. */
    double micros(String call, long bytes) {
        Collective collective = COLLECTIVES.get(call);
        double transfer = collective == null || bytes == 0
                ? 0
                : CollectiveBound.of(scenario, collective, bytes).seconds() * MICROS_PER_SECOND;
        return transfer + oneWayMicros();
    }

    /** The delay between the two clusters that are farthest from each other. */
    private double oneWayMicros() {
        return scenario.phases().get(0).links().values().stream()
                        .mapToLong(LinkSpec::delayNanos)
                        .max()
                        .orElse(0)
                / NANOS_PER_MICRO;
    }
}
