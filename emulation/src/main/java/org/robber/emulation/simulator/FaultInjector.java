package org.robber.emulation.simulator;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.ListMultimap;
import java.util.List;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceSet;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.network.Network;

/** Injects the faults of a plan at their times. */
final class FaultInjector {
    /** From the time when peers notice a death until all nodes know of it. */
    private static final long NEWS_NANOS = 100_000_000;

    /** Between two checks for pieces whose last copy is gone. */
    private static final long LOOK_NANOS = 1_000_000_000;

    private final FaultPlan plan;

    /** After this time peers report a silent node as stalled. */
    private final long silenceNanos;

    private final Agenda agenda;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final RunTally tally;
    private final Rescue rescue;

    /** Number of stalls of each node that still last: two may overlap. */
    private final int[] stalls;

    /** The slow-downs of each node that still last: the slowest counts. */
    private final ListMultimap<Integer, Double> slowDowns = ArrayListMultimap.create();

    FaultInjector(
            SimulationOptions options,
            Agenda agenda,
            Network network,
            List<SimulatedNode> nodes,
            RunTally tally,
            Rescue rescue) {
        this.plan = options.faults();
        this.silenceNanos = options.silenceNanos();
        this.agenda = agenda;
        this.network = network;
        this.nodes = nodes;
        this.tally = tally;
        this.rescue = rescue;
        this.stalls = new int[nodes.size()];
    }

    /** Puts all faults of the options on the agenda. */
    void planAll() {
        plan.faults().forEach(this::plan);
        if (plan.hasCrash()) {
            lookForGonePieces();
        }
    }

    /** Ranks of nodes whose cards will be slowed down. */
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
            agenda.at(crash.atNanos(), () -> crash(nodes.get(crash.rank())));
            agenda.at(crash.atNanos() + plan.detectionNanos() + NEWS_NANOS, () -> rescue.lose(crash.rank()));
        } else if (fault instanceof Fault.Restart restart) {
            agenda.at(restart.atNanos(), () -> restartLater(restart));
        } else if (fault instanceof Fault.Cut cut) {
            int low = Math.min(cut.rank(), cut.otherRank());
            int high = Math.max(cut.rank(), cut.otherRank());
            agenda.at(cut.atNanos(), () -> cut(low, high, cut.forNanos()));
        } else if (fault instanceof Fault.Stall stall) {
            agenda.at(stall.atNanos(), () -> stall(stall.rank()));
            if (stall.forNanos() > silenceNanos) {
                agenda.at(stall.atNanos() + silenceNanos, () -> reportSilence(stall.rank()));
            }
            agenda.at(stall.atNanos() + stall.forNanos(), () -> resume(stall.rank()));
        } else if (fault instanceof Fault.SlowDown slow) {
            agenda.at(slow.atNanos(), () -> {
                slowDowns.put(slow.rank(), slow.bytesPerSecond());
                slowDown(slow.rank());
            });
            agenda.at(slow.atNanos() + slow.forNanos(), () -> {
                slowDowns.remove(slow.rank(), slow.bytesPerSecond());
                slowDown(slow.rank());
            });
        } else if (fault instanceof Fault.Partition partition) {
            agenda.at(partition.atNanos(), () -> network.links().breakDown(partition.pair()));
            agenda.at(
                    partition.atNanos() + partition.forNanos(),
                    () -> network.links().heal(partition.pair()));
        }
    }

    private void crash(SimulatedNode node) {
        if (!node.isDead()) {
            node.crash(plan.detectionNanos());
            tally.crashed(node.rank());
            rescue.died(node.rank());
        }
    }

    private void restartLater(Fault.Restart restart) {
        SimulatedNode node = nodes.get(restart.rank());
        if (!node.isDead()) {
            PieceSet had = node.node().possession().copy();
            crash(node);
            PieceSet kept = restart.keeps() ? had : PieceSet.empty(had.capacity());
            tally.expected(1);
            agenda.at(agenda.nowNanos() + restart.forNanos(), () -> {
                tally.expected(-1);
                rescue.restart(restart.rank(), kept);
            });
        }
    }

    private void cut(int low, int high, long forNanos) {
        if (low != high && nodes.get(low).isConnectedTo(high)) {
            nodes.get(low).cut(high);
            agenda.at(agenda.nowNanos() + forNanos, () -> rescue.connect(low, high));
        }
    }

    private void reportSilence(int rank) {
        for (SimulatedNode node : nodes) {
            if (node.isConnectedTo(rank) && stalls[rank] > 0) {
                node.tell(new Event.PeerStalled(rank));
            }
        }
    }

    /** Repeats while other events are planned. */
    private void lookForGonePieces() {
        agenda.at(agenda.nowNanos() + LOOK_NANOS, () -> {
            rescue.lookForGonePieces();
            if (!agenda.isEmpty()) {
                lookForGonePieces();
            }
        });
    }

    private void slowDown(int rank) {
        network.slowDown(
                rank,
                slowDowns.get(rank).stream().mapToDouble(rate -> rate).min().orElse(Double.POSITIVE_INFINITY));
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
