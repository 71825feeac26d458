package org.robber.emulation.simulator.fault;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Scenario;

/**
 * The faults of a run.
 *
 * @param faults in any order
 * @param corruptChance of each piece that arrives, to have flipped bytes; from 0 up to, not including, 1
 * @param detectionNanos until the peers of a dead node notice
 */
public record FaultPlan(ImmutableList<Fault> faults, double corruptChance, long detectionNanos) {
    /** No faults. */
    public static final FaultPlan NONE = new FaultPlan(ImmutableList.of(), 0, 0);

    static final long DETECTION_NANOS = 200_000_000;
    private static final double CORRUPT_CHANCE = 0.02;

    public FaultPlan {
        checkArgument(corruptChance >= 0 && corruptChance < 1, "corruptChance: %s", corruptChance);
        checkArgument(detectionNanos >= 0, "detectionNanos: %s", detectionNanos);
    }

    /** Whether there are no faults. */
    public boolean isEmpty() {
        return faults.isEmpty() && corruptChance == 0;
    }

    /** Whether a node dies. */
    public boolean hasCrash() {
        return faults.stream().anyMatch(fault -> fault instanceof Fault.Crash);
    }

    /**
     * One to four temporary faults, drawn at random: stalls, slow cards, partitions, and in half of the plans
     * flipped bytes.
     *
     * @param horizonNanos faults begin before this, and last at most a quarter of it; at least 4
     */
    public static FaultPlan passing(Scenario scenario, SeededRandom random, long horizonNanos) {
        ImmutableList.Builder<Fault> faults = ImmutableList.builder();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            faults.add(passingFault(scenario, random, horizonNanos));
        }
        return new FaultPlan(faults.build(), random.nextBoolean() ? CORRUPT_CHANCE : 0, DETECTION_NANOS);
    }

    static Fault passingFault(Scenario scenario, SeededRandom random, long horizonNanos) {
        long atNanos = time(random, horizonNanos);
        long forNanos = time(random, horizonNanos / 4);
        int rank = random.nextInt(scenario.nodeCount());
        ImmutableSortedMap<ClusterPair, LinkSpec> links =
                scenario.phases().get(0).links();
        return switch (random.nextInt(links.isEmpty() ? 2 : 3)) {
            case 0 -> new Fault.Stall(atNanos, rank, forNanos);
            case 1 -> new Fault.SlowDown(atNanos, rank, forNanos, 10_000.0 + random.nextInt(1_000_000));
            default ->
                new Fault.Partition(atNanos, links.keySet().asList().get(random.nextInt(links.size())), forNanos);
        };
    }

    static long time(SeededRandom random, long beforeNanos) {
        return (long) (random.nextDouble() * beforeNanos);
    }
}
