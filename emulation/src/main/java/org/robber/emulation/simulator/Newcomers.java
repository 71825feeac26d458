package org.robber.emulation.simulator;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Topology;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.Due;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Network;

/**
 * What the real drivers do for nodes that join: connect them to a few nodes of their own cluster, and to those of others only if
 * none of its own is left.
 */
final class Newcomers {
    /** As many nodes are asked at a time. */
    private static final int MOST_PEERS = 5;

    /** The use of the seed from which peers are drawn; those of nodes are their ranks. */
    private static final long USE = -2;

    private final Topology topology;
    private final int members;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final Message begin;
    private final SeededRandom random;
    private final List<SimulatedNode> joined = new ArrayList<>();

    /** @param members how many nodes are there from the start: the first by rank */
    Newcomers(Topology topology, int members, Network network, List<SimulatedNode> nodes, Message begin, long seed) {
        this.topology = topology;
        this.members = members;
        this.network = network;
        this.nodes = nodes;
        this.begin = begin;
        this.random = SeededRandom.forUse(seed, USE);
    }

    /** Lets each come at its time. */
    void plan(List<Long> joinNanos, Agenda agenda) {
        for (int i = 0; i < joinNanos.size(); i++) {
            SimulatedNode joiner = nodes.get(members + i);
            agenda.put(
                    new Due() {
                        @Override
                        protected void happen(long nowNanos) {
                            join(joiner);
                        }
                    },
                    joinNanos.get(i));
        }
    }

    private void join(SimulatedNode joiner) {
        if (!joiner.isDead()) {
            joined.add(joiner);
            joiner.start(begin);
            connect(joiner);
        }
    }

    /** Connects those that have too few peers left. */
    void connectAll() {
        joined.forEach(this::connect);
    }

    private void connect(SimulatedNode joiner) {
        List<SimulatedNode> candidates = living(joiner, true);
        if (candidates.isEmpty()) {
            candidates = living(joiner, false);
        }
        long connected = candidates.stream()
                .filter(other -> joiner.isConnectedTo(other.rank()))
                .count();
        candidates.removeIf(other -> joiner.isConnectedTo(other.rank()));
        while (!joiner.isDead() && connected < MOST_PEERS && !candidates.isEmpty()) {
            connect(candidates.remove(random.nextInt(candidates.size())), joiner);
            connected++;
        }
    }

    private List<SimulatedNode> living(SimulatedNode joiner, boolean mates) {
        List<SimulatedNode> living = new ArrayList<>();
        for (SimulatedNode member : nodes.subList(0, members)) {
            if (!member.isDead() && topology.sameCluster(member.rank(), joiner.rank()) == mates) {
                living.add(member);
            }
        }
        return living;
    }

    private void connect(SimulatedNode member, SimulatedNode joiner) {
        Connection up = network.connect(member.rank(), joiner.rank(), member, joiner);
        if (up != null) {
            Connection down = up.back();
            member.reconnect(up, begin);
            if (down != null) {
                joiner.reconnect(down, begin);
            }
        }
    }
}
