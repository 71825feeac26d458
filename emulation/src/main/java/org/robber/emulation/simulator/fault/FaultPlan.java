package org.robber.emulation.simulator.fault;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.TreeSet;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Scenario;

/**
 * All that goes wrong in a run.
 *
 * @param faults in any order
 * @param corruptChance of each piece that arrives, to have flipped bytes; from 0 up to, not including, 1
 * @param detectionNanos until the peers of a dead node notice
 */
public record FaultPlan(ImmutableList<Fault> faults, double corruptChance, long detectionNanos) {
    /** Nothing goes wrong. */
    public static final FaultPlan NONE = new FaultPlan(ImmutableList.of(), 0, 0);

    private static final long DETECTION_NANOS = 200_000_000;
    private static final double CORRUPT_CHANCE = 0.02;
    private static final double RARE_CORRUPT_CHANCE = 0.002;

    /** Longer than it takes until all have noticed. */
    private static final long DOWN_NANOS = 500_000_000;

    public FaultPlan {
        checkArgument(corruptChance >= 0 && corruptChance < 1, "corruptChance: %s", corruptChance);
        checkArgument(detectionNanos >= 0, "detectionNanos: %s", detectionNanos);
    }

    /** Whether nothing goes wrong. */
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

    /** A node other than the root dies; nothing else goes wrong. There must be such a node. */
    public static FaultPlan crash(Scenario scenario, SeededRandom random, long horizonNanos) {
        checkArgument(scenario.nodeCount() > 1, "only the root");
        int root = scenario.rankOf(scenario.root());
        int drawn = random.nextInt(scenario.nodeCount() - 1);
        Fault crash = new Fault.Crash(time(random, horizonNanos), drawn < root ? drawn : drawn + 1);
        return new FaultPlan(ImmutableList.of(crash), 0, DETECTION_NANOS);
    }

    /** Up to so many nodes die, the root perhaps among them; nothing else goes wrong. */
    public static FaultPlan crashes(Scenario scenario, SeededRandom random, int count, long horizonNanos) {
        checkArgument(count >= 1, "count: %s", count);
        ImmutableList.Builder<Fault> crashes = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            crashes.add(new Fault.Crash(time(random, horizonNanos), random.nextInt(scenario.nodeCount())));
        }
        return new FaultPlan(crashes.build(), 0, DETECTION_NANOS);
    }

    /**
     * One to six faults of any kind: temporary faults, broken connections, and nodes that die, some of which come back. The root
     * may be among them. Nodes come back without pieces only if no node stays away: otherwise the last copy of a piece might vanish
     * unnoticed.
     */
    public static FaultPlan anything(Scenario scenario, SeededRandom random, long horizonNanos) {
        ImmutableList.Builder<Fault> faults = ImmutableList.builder();
        TreeSet<Integer> dying = new TreeSet<>();
        boolean mayStayAway = random.nextInt(3) > 0;
        int root = scenario.rankOf(scenario.root());
        for (int i = random.nextInt(6); i >= 0; i--) {
            int rank = random.nextInt(scenario.nodeCount());
            long atNanos = time(random, horizonNanos);
            int kind = random.nextInt(6);
            if (kind == 0 && mayStayAway && dying.add(rank)) {
                faults.add(new Fault.Crash(atNanos, rank));
            } else if (kind == 1 && dying.add(rank)) {
                boolean keeps = mayStayAway || rank == root || random.nextBoolean();
                faults.add(new Fault.Restart(atNanos, rank, DOWN_NANOS + time(random, horizonNanos), keeps));
            } else if (kind <= 3) {
                int other = random.nextInt(scenario.nodeCount());
                faults.add(new Fault.Cut(atNanos, rank, other, DOWN_NANOS + time(random, horizonNanos / 4)));
            } else {
                faults.add(passingFault(scenario, random, horizonNanos));
            }
        }
        return new FaultPlan(faults.build(), random.nextInt(4) == 0 ? RARE_CORRUPT_CHANCE : 0, DETECTION_NANOS);
    }

    private static Fault passingFault(Scenario scenario, SeededRandom random, long horizonNanos) {
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

    private static long time(SeededRandom random, long beforeNanos) {
        return (long) (random.nextDouble() * beforeNanos);
    }
}
