package org.robber.emulation.simulator;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.driver.JoinerPeers;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Topology;
import org.robber.emulation.simulator.agenda.Agenda;

/** Nodes that join: connected to members as {@link JoinerPeers} chooses, as the transport does. */
final class Newcomers {
    /** The use of the seed from which peers are drawn; those of nodes are their ranks. */
    private static final long USE = -2;

    private final Topology topology;
    private final int members;
    private final List<SimulatedNode> nodes;
    private final LateConnections lateConnections;
    private final SeededRandom random;
    private final List<SimulatedNode> joined = new ArrayList<>();

    /** @param members how many nodes are there from the start: the first by rank */
    Newcomers(Topology topology, int members, List<SimulatedNode> nodes, LateConnections lateConnections, long seed) {
        this.topology = topology;
        this.members = members;
        this.nodes = nodes;
        this.lateConnections = lateConnections;
        this.random = SeededRandom.forUse(seed, USE);
    }

    /** Lets each come at its time. */
    void plan(List<Long> joinNanos, Agenda agenda) {
        for (int i = 0; i < joinNanos.size(); i++) {
            SimulatedNode joiner = nodes.get(members + i);
            agenda.at(joinNanos.get(i), () -> join(joiner));
        }
    }

    private void join(SimulatedNode joiner) {
        if (!joiner.isDead()) {
            joined.add(joiner);
            joiner.start(lateConnections.begin());
            connect(joiner);
        }
    }

    /** Connects those that have too few peers left. */
    void connectAll() {
        joined.forEach(this::connect);
    }

    private void connect(SimulatedNode joiner) {
        if (joiner.isDead()) {
            return;
        }
        JoinerPeers.choose(
                        topology,
                        members,
                        joiner.rank(),
                        rank -> nodes.get(rank).isDead(),
                        joiner::isConnectedTo,
                        random)
                .connectTo()
                .forEach(rank -> lateConnections.connect(nodes.get(rank), joiner));
    }
}
