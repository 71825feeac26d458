package org.robber.emulation.simulator.fault;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.TreeSet;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** Fault plans that are drawn at random, with faults that do not pass. */
public final class RandomFaults {

    private static final double RARE_CORRUPT_CHANCE = 0.002;

    /** Longer than it takes until all nodes have noticed. */
    private static final long DOWN_NANOS = 500_000_000;

    /** Shorter than many of the faults, which last a second at most. */
    public static final long SILENCE_NANOS = 500_000_000;

    private RandomFaults() {}

    /** A node other than the root dies; nothing else goes wrong. There must be such a node. */
    public static FaultPlan crash(Scenario scenario, SeededRandom random, long horizonNanos) {
        checkArgument(scenario.nodeCount() > 1, "only the root");
        int root = scenario.rankOf(scenario.root());
        int drawn = random.nextInt(scenario.nodeCount() - 1);
        Fault crash = new Fault.Crash(FaultPlan.time(random, horizonNanos), drawn < root ? drawn : drawn + 1);
        return new FaultPlan(ImmutableList.of(crash), 0, FaultPlan.DETECTION_NANOS);
    }

    /** Up to so many nodes die, the root perhaps among them; nothing else goes wrong. */
    public static FaultPlan crashes(Scenario scenario, SeededRandom random, int count, long horizonNanos) {
        checkArgument(count >= 1, "count: %s", count);
        ImmutableList.Builder<Fault> crashes = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            crashes.add(new Fault.Crash(FaultPlan.time(random, horizonNanos), random.nextInt(scenario.nodeCount())));
        }
        return new FaultPlan(crashes.build(), 0, FaultPlan.DETECTION_NANOS);
    }

    /**
     * One to six faults of any kind: temporary faults, broken connections, and nodes that die, some of which come back. Owners
     * may be among them. Nodes come back without pieces only if no node stays away: otherwise the last copy of a piece might vanish
     * unnoticed. Owners never do.
     */
    public static FaultPlan anything(Scenario scenario, Collective collective, SeededRandom random, long horizonNanos) {
        ImmutableList.Builder<Fault> faults = ImmutableList.builder();
        TreeSet<Integer> dying = new TreeSet<>();
        boolean mayStayAway = random.nextInt(3) > 0;
        List<Integer> owners = collective.owners(scenario);
        for (int i = random.nextInt(6); i >= 0; i--) {
            int rank = random.nextInt(scenario.nodeCount());
            long atNanos = FaultPlan.time(random, horizonNanos);
            int kind = random.nextInt(6);
            if (kind == 0 && mayStayAway && dying.add(rank)) {
                faults.add(new Fault.Crash(atNanos, rank));
            } else if (kind == 1 && dying.add(rank)) {
                boolean keeps = mayStayAway || owners.contains(rank) || random.nextBoolean();
                faults.add(new Fault.Restart(atNanos, rank, DOWN_NANOS + FaultPlan.time(random, horizonNanos), keeps));
            } else if (kind <= 3) {
                int other = random.nextInt(scenario.nodeCount());
                faults.add(new Fault.Cut(atNanos, rank, other, DOWN_NANOS + FaultPlan.time(random, horizonNanos / 4)));
            } else {
                faults.add(FaultPlan.passingFault(scenario, random, horizonNanos));
            }
        }
        return new FaultPlan(
                faults.build(), random.nextInt(4) == 0 ? RARE_CORRUPT_CHANCE : 0, FaultPlan.DETECTION_NANOS);
    }
}
