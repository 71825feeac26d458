package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.core.join.JoiningNode;
import org.robber.core.join.WelcomingNode;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Promises;
import org.robber.core.node.TracedNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.trace.TraceSink;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.checker.BrokenPromiseException;
import org.robber.emulation.simulator.checker.PieceWatcher;
import org.robber.emulation.simulator.checker.Watcher;
import org.robber.emulation.simulator.checker.WorkWatcher;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Network;

/** One run of a strategy in a scenario under virtual time. The same scenario and options give the same run. */
public final class Simulation {
    /** The use of the seed from which faults are drawn; those of nodes are their ranks. */
    private static final long FAULT_USE = -1;

    private final Scenario scenario;
    private final SimulationOptions options;
    private final PieceLayout layout;
    private final Topology topology;

    /** All but those that join. */
    private final Topology members;

    private final int rootRank;
    private final Agenda agenda = new Agenda();
    private final Network network;
    private final RunTally tally;
    private final TimelineRecorder recorder;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Processors> computers = new ArrayList<>();
    private final List<NodeSetup> setups = new ArrayList<>();
    private final Surroundings surroundings;

    private Simulation(Scenario scenario, SimulationOptions options, Overlay overlay) {
        this.scenario = scenario;
        this.options = options;
        this.topology = scenario.topology();
        this.layout = layout(topology, options);
        this.rootRank = scenario.rankOf(scenario.root());
        this.members = membersOf(topology, options.joinNanos().size());
        checkArgument(rootRank < members.size(), "the root can't join");
        this.network = new Network(scenario, agenda, layout, options.network(), FaultInjector.slowed(options.faults()));
        this.tally = new RunTally(topology, layout);
        this.recorder =
                new TimelineRecorder(options.sampleNanos(), network.pairs(), tally::receivedBytes, network::crossed);
        makeSetups(overlay);
        this.surroundings = new Surroundings(
                topology,
                layout,
                options.costs(),
                options.faults().corruptChance(),
                SeededRandom.forUse(options.seed(), FAULT_USE),
                watcher(setups),
                tally);
        makeNodes();
        connectNodes();
        Newcomers newcomers = new Newcomers(topology, members.size(), network, nodes, begin(), options.seed());
        newcomers.plan(options.joinNanos(), agenda);
        if (!options.faults().isEmpty()) {
            FaultInjector.plan(options.faults(), agenda, network, nodes, tally, rescue(overlay, newcomers));
        }
    }

    private static PieceLayout layout(Topology topology, SimulationOptions options) {
        return options.pieceBytes() == 0
                ? PieceLayout.automatic(options.dataBytes(), topology.mostLinesIntoACluster())
                : new PieceLayout(options.dataBytes(), options.pieceBytes());
    }

    private static Topology membersOf(Topology topology, int joiners) {
        return joiners == 0
                ? topology
                : Topology.of(IntStream.range(0, topology.size() - joiners)
                        .mapToObj(rank -> topology.clusterName(topology.clusterOf(rank)))
                        .toList());
    }

    /**
     * Runs until every node has finished, nothing is left to happen, or the limit is reached. A promise that is broken ends
     * the run, and is its problem; so is what keeps the strategy from planning for this network.
     *
     * @throws IllegalStateException if a node throws: a defect of its strategy
     */
    public static RunResult run(Scenario scenario, SimulationOptions options) {
        Overlay overlay;
        try {
            overlay = options.strategy()
                    .planOverlay(
                            membersOf(scenario.topology(), options.joinNanos().size()), options.seed());
        } catch (IllegalArgumentException e) {
            return unplanned(scenario, options, String.valueOf(e.getMessage()));
        }
        return new Simulation(scenario, options, overlay).run();
    }

    /** Nothing has happened at any node. */
    private static RunResult unplanned(Scenario scenario, SimulationOptions options, String why) {
        PieceLayout layout = layout(scenario.topology(), options);
        ImmutableList.Builder<NodeRun> nodes = ImmutableList.builder();
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            nodes.add(NodeRun.idle(rank));
        }
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                options.strategy().name(),
                options.seed(),
                layout.totalBytes(),
                layout.pieceBytes(),
                "no plan: " + why,
                nodes.build(),
                ImmutableSortedMap.of(),
                ImmutableSortedMap.of(),
                new Timeline(
                        options.sampleNanos(),
                        ImmutableList.copyOf(Collections.nCopies(scenario.nodeCount(), ImmutableList.of(0L))),
                        ImmutableSortedMap.of()));
    }

    private void makeSetups(Overlay overlay) {
        PieceSet nothing = PieceSet.empty(layout.pieceCount());
        PieceSet everything = PieceSet.full(layout.pieceCount());
        Overlay nobody = Overlay.builder(topology).build();
        for (int rank = 0; rank < topology.size(); rank++) {
            boolean joins = rank >= members.size();
            setups.add(new NodeSetup(
                    rank,
                    joins ? topology : members,
                    joins ? nobody : overlay,
                    rootRank,
                    rank == rootRank ? everything : nothing,
                    options.seed(),
                    options.requestWindow(),
                    layout.pieceBytes(),
                    layout.totalBytes(),
                    joins));
        }
    }

    private void makeNodes() {
        for (NodeSetup setup : setups) {
            if (setup.rank() % options.costs().nodesPerComputer() == 0) {
                computers.add(new Processors(options.costs().coresPerComputer()));
            }
            Processors processors = computers.get(computers.size() - 1);
            int[] peers = setup.overlay().peers(setup.rank());
            RequestBook requests = new RequestBook(peers.length, layout.pieceCount(), promises(setup));
            nodes.add(new SimulatedNode(
                    setup.rank(), makeNode(setup), peers, processors, requests, agenda, surroundings));
        }
    }

    private MulticastNode makeNode(NodeSetup setup) {
        MulticastNode node = machine(setup);
        TraceSink sink = options.traceSink();
        return sink == null ? node : new TracedNode(setup.rank(), node, sink);
    }

    private MulticastNode machine(NodeSetup setup) {
        if (setup.rank() >= members.size()) {
            return JoiningNode.create(
                    setup.rank(), setup.possession(), setup.seed(), setup.requestWindow(), setup.pieceBytes());
        }
        MulticastNode node = options.strategy().createNode(setup);
        return options.joinNanos().isEmpty() ? node : new WelcomingNode(node, members.size());
    }

    /** Those that join promise what is left of the root's promises when somebody joins. */
    private Promises promises(NodeSetup setup) {
        return options.promises(setup.rank() < members.size() ? setup : setups.get(rootRank));
    }

    private Watcher watcher(List<NodeSetup> setups) {
        Promises promises = promises(setups.get(rootRank));
        PieceWatcher pieces = new PieceWatcher(topology, setups, promises);
        return promises.division() == null
                ? pieces
                : new WorkWatcher(topology, setups, promises.division(), pieces).and(pieces);
    }

    private Rescue rescue(Overlay overlay, Newcomers newcomers) {
        Rescue rescue = new Rescue(
                members,
                overlay,
                layout.pieceCount(),
                network,
                nodes,
                surroundings.watcher(),
                tally,
                begin(),
                newcomers,
                (rank, kept) -> makeNode(setups.get(rank).comingLate(kept)));
        surroundings.report(rescue);
        return rescue;
    }

    private void connectNodes() {
        for (SimulatedNode high : nodes) {
            for (int peer : high.peers()) {
                if (peer < high.rank()) {
                    SimulatedNode low = nodes.get(peer);
                    Connection up = network.connect(peer, high.rank(), low, high);
                    if (up != null) {
                        low.connect(up);
                        high.connect(up.back());
                    }
                }
            }
        }
    }

    private Message begin() {
        return new Message.Begin(
                0,
                rootRank,
                layout.totalBytes(),
                layout.pieceBytes(),
                options.strategy().name(),
                "xxh3-128");
    }

    private RunResult run() {
        Message begin = begin();
        try {
            for (SimulatedNode member : nodes.subList(0, members.size())) {
                member.start(begin);
            }
            return result(new Complaint(topology, nodes, tally).text(runUntilTheEnd()));
        } catch (BrokenPromiseException e) {
            return result(String.valueOf(e.getMessage()));
        }
    }

    /** Returns why it ended. */
    private String runUntilTheEnd() {
        while (!tally.allFinished()) {
            if (agenda.isEmpty()) {
                return "nothing is left to happen after " + agenda.nowNanos() / 1e9 + " s";
            }
            long nextNanos = agenda.nextNanos();
            if (nextNanos > options.limitNanos()) {
                return "the limit of " + options.limitNanos() / 1e9 + " s is reached";
            }
            while (recorder.nextNanos() < nextNanos && !tally.allComplete()) {
                recorder.sample();
            }
            agenda.step();
        }
        return "all have finished";
    }

    private RunResult result(String problem) {
        recorder.sample();
        ImmutableList.Builder<NodeRun> nodeRuns = ImmutableList.builder();
        for (SimulatedNode node : nodes) {
            nodeRuns.add(tally.nodeRun(node.rank(), node.controlBytes()));
        }
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                options.strategy().name(),
                options.seed(),
                layout.totalBytes(),
                layout.pieceBytes(),
                problem,
                nodeRuns.build(),
                network.crossedBytes(),
                tally.stolenBytes(),
                options.costs().takeProcessorTime()
                        ? computers.stream().mapToLong(Processors::workedNanos).sum()
                        : -1,
                recorder.timeline());
    }
}
