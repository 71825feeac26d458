package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.checker.InvariantViolationException;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Network;

/** One run of a strategy in a scenario under virtual time. The same scenario and options give the same run. */
public final class Simulation {
    /** The use of the seed from which faults are drawn; those of nodes are their ranks. */
    private static final long FAULT_USE = -1;

    private static final long LOSS_USE = -2;

    private final Scenario scenario;
    private final SimulationOptions options;
    private final PieceLayout layout;
    private final Topology topology;

    /** The nodes that take part from the start; the others join. */
    private final Topology members;

    private final int rootRank;
    private final Agenda agenda;
    private final Network network;
    private final RunTally tally;
    private final TimelineRecorder recorder;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Processors> computers;
    private final DataPlacement placement;
    private final NodeFactory machines;
    private final RunContext context;

    /** @param other a job whose network and computers this one shares; null if it has its own */
    private Simulation(Scenario scenario, SimulationOptions options, Overlay overlay, @Nullable Simulation other) {
        this.scenario = scenario;
        this.options = options;
        this.topology = scenario.topology();
        CollectiveCall call = CollectiveCall.of(scenario, options);
        this.layout = call.layout();
        this.rootRank = scenario.rankOf(scenario.root());
        this.members = membersOf(topology, options.joinNanos().size());
        ImmutableList<Integer> owners = options.collective().owners(scenario);
        checkArgument(
                owners.stream().allMatch(owner -> owner < members.size()), "a node that possesses data cannot join");
        this.agenda = other == null ? new Agenda() : other.agenda;
        this.network = other == null
                ? new Network(
                        scenario,
                        agenda,
                        layout,
                        options.network(),
                        FaultInjector.slowed(options.faults()),
                        SeededRandom.forUse(options.seed(), LOSS_USE))
                : other.network;
        this.computers = other == null ? new ArrayList<>() : other.computers;
        this.tally = new RunTally(topology, layout);
        this.recorder = new TimelineRecorder(
                options.sampleNanos(), network.links().pairs(), tally::receivedBytes, network.links()::crossedByIndex);
        this.placement = call.placement();
        this.machines = new NodeFactory(options, layout, scenario, members, placement, overlay);
        this.context = new RunContext(
                topology,
                layout,
                options.costs(),
                options.faults().corruptChance(),
                SeededRandom.forUse(options.seed(), FAULT_USE),
                machines.invariants(),
                tally,
                call.reduction(scenario, options));
        makeNodes();
        connectNodes();
        SilentLinks.watch(options.silenceNanos(), agenda, network, nodes);
        LateConnections lateConnections = new LateConnections(network, begin());
        Newcomers newcomers = new Newcomers(topology, members.size(), nodes, lateConnections, options.seed());
        newcomers.plan(options.joinNanos(), agenda);
        if (!options.faults().isEmpty()) {
            Rescue rescue = rescue(overlay, lateConnections, newcomers);
            new FaultInjector(options, agenda, network, nodes, tally, rescue).planAll();
        }
    }

    private static Topology membersOf(Topology topology, int joiners) {
        return joiners == 0
                ? topology
                : Topology.of(IntStream.range(0, topology.size() - joiners)
                        .mapToObj(rank -> topology.clusterName(topology.clusterOf(rank)))
                        .toList());
    }

    /**
     * Runs until every node has finished, no event is left, or the time limit is reached. A violated invariant ends the run
     * and is its problem. So is the reason why the strategy cannot plan for this network.
     *
     * @throws IllegalStateException if a node throws: a defect of its strategy
     */
    public static RunResult run(Scenario scenario, SimulationOptions options) {
        MulticastStrategy strategy = options.strategy();
        DataPlacement placement = options.placement(scenario, 1);
        if (strategy.needsSingleRoot() && !placement.hasSingleRoot()) {
            return unplanned(
                    scenario, options, strategy.name() + " can do only a multicast, not " + options.collective());
        }
        String unlinked = placement.isWantedByAll() ? "" : clustersWithoutLink(scenario);
        if (!unlinked.isEmpty()) {
            return unplanned(
                    scenario,
                    options,
                    options.collective() + " needs a link between every two clusters: " + unlinked + " have none");
        }
        Topology members = membersOf(scenario.topology(), options.joinNanos().size());
        Overlay overlay;
        try {
            overlay = placement.isWantedByAll()
                    ? strategy.planOverlay(members, options.seed())
                    : Overlay.complete(members);
        } catch (IllegalArgumentException e) {
            return unplanned(scenario, options, String.valueOf(e.getMessage()));
        }
        Simulation measured = new Simulation(scenario, options, overlay, /* other= */ null);
        List<Simulation> beside = new ArrayList<>();
        for (int job = 1; job <= options.jobsBeside(); job++) {
            SimulationOptions another = options.ofAnotherJob(job);
            beside.add(new Simulation(scenario, another, strategy.planOverlay(members, another.seed()), measured));
        }
        return measured.run(beside);
    }

    /** The names of two clusters without links in both directions; empty if there are no such clusters. */
    private static String clustersWithoutLink(Scenario scenario) {
        return ClusterPair.all(scenario.clusters().size()).stream()
                .filter(pair -> !scenario.phases().get(0).links().containsKey(pair))
                .findFirst()
                .map(pair -> scenario.clusters().get(pair.from()).name() + " and "
                        + scenario.clusters().get(pair.to()).name())
                .orElse("");
    }

    /** The result if the strategy cannot plan for the network. */
    private static RunResult unplanned(Scenario scenario, SimulationOptions options, String reason) {
        PieceLayout layout = CollectiveCall.of(scenario, options).layout();
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                options.strategy().name(),
                options.seed(),
                options.dataBytes(),
                layout.pieceBytes(),
                "no plan: " + reason,
                IntStream.range(0, scenario.nodeCount())
                        .mapToObj(NodeRun::idle)
                        .collect(ImmutableList.toImmutableList()),
                ImmutableSortedMap.of(),
                ImmutableSortedMap.of(),
                -1,
                new Timeline(
                        options.sampleNanos(),
                        ImmutableList.copyOf(Collections.nCopies(scenario.nodeCount(), ImmutableList.of(0L))),
                        ImmutableSortedMap.of()),
                /* besideNanos= */ ImmutableList.of(),
                /* recoveries= */ ImmutableList.of());
    }

    private void makeNodes() {
        for (NodeSetup setup : machines.setups()) {
            int computer = setup.rank() / options.costs().nodesPerComputer();
            if (computer == computers.size()) {
                computers.add(new Processors(options.costs().coresPerComputer()));
            }
            Processors processors = computers.get(computer);
            int[] peers = setup.overlay().peers(setup.rank());
            SimulatedRequests requests = new SimulatedRequests(machines.limits(setup));
            nodes.add(new SimulatedNode(
                    setup.rank(), machines.create(setup), peers, processors, requests, agenda, context));
        }
    }

    private Rescue rescue(Overlay overlay, LateConnections lateConnections, Newcomers newcomers) {
        Rescue rescue = new Rescue(
                members,
                overlay,
                placement,
                nodes,
                context.invariants(),
                tally,
                lateConnections,
                newcomers,
                machines::createRestarted);
        context.setRescue(rescue);
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

    /** Runs until this job is done, whatever those beside it have, and then on for their times. */
    private RunResult run(List<Simulation> beside) {
        RunResult result = runToItsEnd(() -> {
            start();
            beside.forEach(Simulation::start);
        });
        return result.withBeside(
                beside.stream().map(other -> other.runToItsEnd(() -> {})).collect(ImmutableList.toImmutableList()));
    }

    private RunResult runToItsEnd(Runnable begin) {
        try {
            begin.run();
            return result(new StallDiagnosis(topology, placement, nodes, tally, scenario).text(runUntilTheEnd()));
        } catch (InvariantViolationException e) {
            return result(String.valueOf(e.getMessage()));
        }
    }

    private void start() {
        Message begin = begin();
        for (SimulatedNode member : nodes.subList(0, members.size())) {
            member.start(begin);
        }
    }

    /** Returns why it ended, for people. */
    private String runUntilTheEnd() {
        while (!tally.allFinished()) {
            if (agenda.isEmpty()) {
                return "no event is left after " + agenda.nowNanos() / 1e9 + " s";
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
        Timeline timeline = recorder.timeline();
        ImmutableList.Builder<NodeRun> nodeRuns = ImmutableList.builder();
        for (SimulatedNode node : nodes) {
            nodeRuns.add(tally.nodeRun(node.rank(), node.controlBytes()));
        }
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                options.strategy().name(),
                options.seed(),
                options.dataBytes(),
                layout.pieceBytes(),
                problem,
                nodeRuns.build(),
                network.links().crossedBytes(),
                tally.stolenBytes(),
                options.costs().takeProcessorTime()
                        ? nodes.stream().mapToLong(SimulatedNode::workedNanos).sum()
                        : -1,
                timeline,
                /* besideNanos= */ ImmutableList.of(),
                Recovery.of(scenario, timeline));
    }
}
