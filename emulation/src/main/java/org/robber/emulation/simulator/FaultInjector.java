package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableSortedSet;
import java.util.List;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.Due;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.network.Network;

/** Lets faults happen when they are planned. */
final class FaultInjector {
    private final FaultPlan plan;
    private final Agenda agenda;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final Tally tally;

    /** How many stalls of each node are not over yet: two may overlap. */
    private final int[] stalls;

    private FaultInjector(FaultPlan plan, Agenda agenda, Network network, List<SimulatedNode> nodes, Tally tally) {
        this.plan = plan;
        this.agenda = agenda;
        this.network = network;
        this.nodes = nodes;
        this.tally = tally;
        this.stalls = new int[nodes.size()];
    }

    /** Puts all faults on the agenda. */
    static void plan(FaultPlan plan, Agenda agenda, Network network, List<SimulatedNode> nodes, Tally tally) {
        FaultInjector injector = new FaultInjector(plan, agenda, network, nodes, tally);
        plan.faults().forEach(injector::plan);
    }

    /** The nodes whose cards will be slowed down. */
    static ImmutableSortedSet<Integer> slowed(FaultPlan plan) {
        ImmutableSortedSet.Builder<Integer> ranks = ImmutableSortedSet.naturalOrder();
        for (Fault fault : plan.faults()) {
            if (fault instanceof Fault.SlowDown slowDown) {
                ranks.add(slowDown.rank());
            }
        }
        return ranks.build();
    }

    private void plan(Fault fault) {
        if (fault instanceof Fault.Crash crash) {
            at(crash.atNanos(), () -> crash(nodes.get(crash.rank())));
        } else if (fault instanceof Fault.Stall stall) {
            at(stall.atNanos(), () -> stall(stall.rank()));
            at(stall.atNanos() + stall.forNanos(), () -> resume(stall.rank()));
        } else if (fault instanceof Fault.SlowDown slow) {
            at(slow.atNanos(), () -> network.slowDown(slow.rank(), slow.bytesPerSecond()));
            at(slow.atNanos() + slow.forNanos(), () -> network.slowDown(slow.rank(), Double.POSITIVE_INFINITY));
        } else if (fault instanceof Fault.Partition partition) {
            at(partition.atNanos(), () -> network.breakDown(partition.pair()));
            at(partition.atNanos() + partition.forNanos(), () -> network.heal(partition.pair()));
        }
    }

    private void at(long nanos, Runnable effect) {
        agenda.put(
                new Due() {
                    @Override
                    protected void happen(long nowNanos) {
                        effect.run();
                    }
                },
                nanos);
    }

    private void crash(SimulatedNode node) {
        if (!node.isDead()) {
            node.crash(plan.detectionNanos());
            tally.crashed(node.rank());
        }
    }

    private void stall(int rank) {
        if (stalls[rank]++ == 0) {
            nodes.get(rank).stall();
        }
    }

    private void resume(int rank) {
        if (--stalls[rank] == 0) {
            nodes.get(rank).resume();
        }
    }
}
