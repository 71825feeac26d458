package org.robber.emulation.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.core.join.JoiningNode;
import org.robber.core.join.WelcomingNode;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.node.TracedNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.trace.TraceSink;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.checker.PieceInvariants;
import org.robber.emulation.simulator.checker.WorkInvariants;

/** Creates the state machines of all nodes of a run, and the invariants that they must keep. */
final class NodeFactory {
    private final SimulationOptions options;
    private final Scenario scenario;
    private final Topology topology;
    private final Topology members;
    private final int firstOwner;
    private final List<NodeSetup> setups = new ArrayList<>();

    /**
     * @param members the nodes that take part from the start; the others of the topology join
     * @param placement who possesses which pieces at the start, and who wants them
     * @param overlay of the members
     */
    NodeFactory(
            SimulationOptions options,
            PieceLayout layout,
            Scenario scenario,
            Topology members,
            DataPlacement placement,
            Overlay overlay) {
        this.options = options;
        this.scenario = scenario;
        this.topology = scenario.topology();
        this.members = members;
        this.firstOwner = placement.owners().get(0);
        Overlay noConnections = Overlay.builder(topology).build();
        for (int rank = 0; rank < topology.size(); rank++) {
            boolean joins = !isMember(rank);
            setups.add(new NodeSetup(
                    rank,
                    joins ? topology : members,
                    joins ? noConnections : overlay,
                    placement,
                    placement.possessedBy(rank),
                    options.seed(),
                    options.requestWindow(),
                    layout.pieceBytes(),
                    layout.totalBytes(),
                    joins));
        }
    }

    private boolean isMember(int rank) {
        return rank < members.size();
    }

    /** The setups of all nodes, by rank. */
    List<NodeSetup> setups() {
        return Collections.unmodifiableList(setups);
    }

    /** The machine of a node that starts again with some of its pieces. */
    MulticastNode createRestarted(int rank, PieceSet kept) {
        return create(setups.get(rank).comingLate(kept));
    }

    /** The machine of a node. */
    MulticastNode create(NodeSetup setup) {
        MulticastNode node = machine(setup);
        TraceSink sink = options.traceSink();
        return sink == null ? node : new TracedNode(setup.rank(), node, sink);
    }

    private MulticastNode machine(NodeSetup setup) {
        if (!isMember(setup.rank())) {
            return JoiningNode.create(
                    setup.rank(), setup.possession(), setup.seed(), setup.requestWindow(), setup.pieceBytes());
        }
        MulticastNode node = options.strategy().createNode(setup);
        return options.joinNanos().isEmpty() ? node : new WelcomingNode(node, members.size());
    }

    /** The promises of a node. Those of nodes that join are those of an owner while nodes join. */
    StrategyLimits limits(NodeSetup setup) {
        return options.limits(isMember(setup.rank()) ? setup : setups.get(firstOwner), scenario);
    }

    /** The invariants of this strategy. */
    PieceInvariants invariants() {
        StrategyLimits promises = limits(setups.get(firstOwner));
        return promises.division() == null
                ? new PieceInvariants(topology, setups, promises)
                : new WorkInvariants(topology, setups, promises, promises.division());
    }
}
