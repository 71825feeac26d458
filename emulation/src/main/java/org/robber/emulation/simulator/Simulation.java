package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TracedNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.network.Network;

/** One run of a strategy in a scenario under virtual time. The same scenario and options give the same run. */
public final class Simulation {
    private static final int NAMED_NODES = 5;

    private final Scenario scenario;
    private final SimulationOptions options;
    private final PieceLayout layout;
    private final Topology topology;
    private final int rootRank;
    private final Agenda agenda = new Agenda();
    private final Network network;
    private final Tally tally;
    private final List<SimulatedNode> nodes = new ArrayList<>();

    private Simulation(Scenario scenario, SimulationOptions options) {
        this.scenario = scenario;
        this.options = options;
        this.topology = scenario.topology();
        this.layout = options.pieceBytes() == 0
                ? PieceLayout.automatic(options.dataBytes(), topology.mostLinesIntoACluster())
                : new PieceLayout(options.dataBytes(), options.pieceBytes());
        this.rootRank = scenario.rankOf(scenario.root());
        this.network = new Network(scenario, agenda, layout, options.network());
        this.tally = new Tally(topology, layout, network, options.sampleNanos());
        makeNodes();
    }

    /** Runs until every node has finished, nothing is left to happen, or the limit is reached. */
    public static RunResult run(Scenario scenario, SimulationOptions options) {
        return new Simulation(scenario, options).run();
    }

    private void makeNodes() {
        Overlay overlay = options.strategy().planOverlay(topology, options.seed());
        int pieceCount = layout.pieceCount();
        for (int rank = 0; rank < topology.size(); rank++) {
            PieceSet possession = rank == rootRank ? PieceSet.full(pieceCount) : PieceSet.empty(pieceCount);
            MulticastNode node = options.strategy()
                    .createNode(new NodeSetup(
                            rank,
                            topology,
                            overlay,
                            rootRank,
                            possession,
                            options.seed(),
                            options.requestWindow(),
                            layout.pieceBytes()));
            if (options.traceSink() != SimulationOptions.NO_TRACE) {
                node = new TracedNode(rank, node, options.traceSink());
            }
            nodes.add(new SimulatedNode(rank, node, overlay.peers(rank), agenda, tally));
        }
        for (SimulatedNode node : nodes) {
            for (int i = 0; i < node.peers().length; i++) {
                int peer = node.peers()[i];
                node.connect(i, network.connect(node.rank(), peer, nodes.get(peer)));
            }
        }
    }

    private RunResult run() {
        Message begin = new Message.Begin(
                0,
                rootRank,
                layout.totalBytes(),
                layout.pieceBytes(),
                options.strategy().name(),
                "xxh3-128");
        for (SimulatedNode node : nodes) {
            node.start(begin);
        }
        boolean late = false;
        while (!tally.allFinished() && !agenda.isEmpty() && !late) {
            late = agenda.nextNanos() > options.limitNanos();
            if (!late) {
                tally.sampleUntil(agenda.nextNanos());
                agenda.step();
            }
        }
        return result();
    }

    private RunResult result() {
        ImmutableList.Builder<NodeRun> nodeRuns = ImmutableList.builder();
        for (SimulatedNode node : nodes) {
            nodeRuns.add(tally.nodeRun(node));
        }
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                options.strategy().name(),
                options.seed(),
                layout.totalBytes(),
                layout.pieceBytes(),
                problem(),
                nodeRuns.build(),
                network.crossedBytes(),
                tally.stolenBytes(),
                tally.timeline());
    }

    private String problem() {
        if (tally.allComplete()) {
            return "";
        }
        StringBuilder problem = new StringBuilder();
        int incomplete = 0;
        for (SimulatedNode node : nodes) {
            if (!tally.isComplete(node.rank()) && incomplete++ < NAMED_NODES) {
                PieceSet possession = node.node().possession();
                problem.append(problem.length() == 0 ? "" : ", ")
                        .append(topology.nodeName(node.rank()))
                        .append(" (rank ")
                        .append(node.rank())
                        .append(") lacks ")
                        .append(possession.capacity() - possession.size())
                        .append(" pieces, the first is ")
                        .append(possession.nextMissingFrom(0));
            }
        }
        String when = agenda.isEmpty() ? "nothing was left to happen after " : "the limit was reached after ";
        return incomplete + " nodes are not complete; " + when + agenda.nowNanos() / 1e9 + " s: " + problem;
    }
}
