package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.calibration.Calibration;
import org.robber.emulation.testbed.calibration.LinkMeasurement;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.network.KernelCongestion;
import org.robber.emulation.testbed.network.NetworkScript;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.ProgramSupervisor;
import org.robber.emulation.testbed.program.ReceivedByteCounters;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.MemoryReserve;
import org.robber.emulation.testbed.sandbox.Sandbox;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;
import org.robber.emulation.testbed.wan.Wan;

/**
 * A scenario with real processes: a network namespace per node and a bridge per cluster. Between the clusters is a network with the
 * rates, delays and losses of the scenario. Any program can run in it, one process per node. It lives as long as this object and
 * this process; see docs/explanation/testbed.md for what it needs. Not thread-safe.
 */
public final class Testbed implements AutoCloseable {

    /** Between two looks at what crosses, beside the time that a packet may be on its way. */
    private static final long LOOK_NANOS = 50_000_000;

    private static final Duration QUIET_LIMIT = Duration.ofMinutes(2);

    private final Scenario scenario;
    private final TestbedOptions options;
    private final Sandbox sandbox;
    private final Wan wan;
    private final ImmutableList<NodePlace> places;

    private Testbed(Scenario scenario, TestbedOptions options, Sandbox sandbox, Wan wan) {
        this.scenario = scenario;
        this.options = options;
        this.sandbox = sandbox;
        this.wan = wan;
        this.places = places(scenario);
    }

    /**
     * Makes the network of a scenario, as it is in its first phase.
     *
     * @throws TestbedException if this machine cannot; the message says what to do
     */
    public static Testbed open(Scenario scenario, TestbedOptions options) {
        TestbedRequirements.check();
        KernelCongestion.check(options.congestionControl());
        Sandbox sandbox = Sandbox.open(options.memoryBytes() + options.reserveBytes());
        try {
            sandbox.run(NetworkScript.clusters(scenario, options.congestionControl()));
            Wan wan = WanChoice.start(sandbox, scenario, options.wan());
            return new Testbed(scenario, options, sandbox, wan);
        } catch (RuntimeException e) {
            sandbox.close();
            throw e;
        }
    }

    /** The emulated scenario. */
    public Scenario scenario() {
        return scenario;
    }

    /** How the nodes' TCP avoids congestion, by the kernel's name. */
    public String congestionControl() {
        return options.congestionControl();
    }

    /** The kind of network between the clusters. */
    public WanKind wan() {
        return options.wan();
    }

    /** Every node, by rank. */
    public ImmutableList<NodePlace> places() {
        return places;
    }

    /** Address of a node. */
    public String address(int rank) {
        return AddressPlan.address(places.get(rank));
    }

    /** The path in this process of a file that has this absolute path in the testbed. */
    public Path path(String inside) {
        return sandbox.path(inside);
    }

    /**
     * Measures rate and round trip of every link of the first phase. Takes 6 s for most scenarios, more where links share access
     * links or cards, or where a measurement is repeated. Meanwhile the links lose nothing: a few connections of plain TCP do not fill a
     * long line that does.
     *
     * @return every link, all within 3 % of the scenario
     * @throws TestbedException if one is not; names it with the wanted and the measured value
     */
    public ImmutableList<LinkMeasurement> calibrate() throws InterruptedException {
        wan.apply(scenario.phases().get(0).withoutLoss());
        try (Calibration calibration = new Calibration(
                scenario,
                (rank, command) -> command(rank, new NodeProgram(ImmutableList.copyOf(command), ImmutableMap.of())),
                this::address,
                wan::crossedBytes)) {
            return calibration.measure();
        } finally {
            sandbox.killOrphans();
        }
    }

    /** Runs programs on every node, from the first phase on; as {@link #run(List, StartSignal, Duration, Consumer)}. */
    public ProgramRun run(List<NodeProgram> programs, StartSignal start, Duration limit) throws InterruptedException {
        return run(programs, start, limit, failure -> {});
    }

    /**
     * Runs programs on every node, from the first phase on.
     *
     * @param programs by rank; if there are more than nodes, they begin again with the first node
     * @param start how the start of the transfer, from which phases count, is detected
     * @param limit how long they may run before they are stopped
     * @param failure given the end of the first that fails, at once, on some thread
     * @throws TestbedException if programs cannot be started, or the network breaks
     */
    public ProgramRun run(List<NodeProgram> programs, StartSignal start, Duration limit, Consumer<NodeExit> failure)
            throws InterruptedException {
        wan.apply(scenario.phases().get(0));
        ImmutableList.Builder<ProcessBuilder> commands = ImmutableList.builder();
        for (int place = 0; place < programs.size(); place++) {
            commands.add(command(place % places.size(), programs.get(place)));
        }
        awaitQuiet();
        MemoryReserve reserve = MemoryReserve.take(sandbox.path(Sandbox.DATA), options.reserveBytes());
        try {
            return new ProgramSupervisor(scenario.phases(), wan, counters())
                    .run(commands.build(), start, limit, failure);
        } finally {
            reserve.close();
            sandbox.killOrphans();
        }
    }

    /** Packets that earlier programs have left in queues would count as data of the next ones. */
    private void awaitQuiet() throws InterruptedException {
        long deadline = System.nanoTime() + QUIET_LIMIT.toNanos() + 10 * longestWayNanos();
        ImmutableSortedMap<ClusterPair, Long> before = wan.crossedBytes();
        while (true) {
            TimeUnit.NANOSECONDS.sleep(LOOK_NANOS + longestWayNanos());
            ImmutableSortedMap<ClusterPair, Long> now = wan.crossedBytes();
            if (now.equals(before)) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new TestbedException("packets still cross between clusters " + QUIET_LIMIT.toSeconds()
                        + " s after the programs before have ended");
            }
            before = now;
        }
    }

    /** The longest time of a packet on a link of the first phase. */
    private long longestWayNanos() {
        return scenario.phases().get(0).links().values().stream()
                .filter(link -> link.bytesPerSecond() > 0)
                .mapToLong(link -> link.delayNanos() + (long) (AddressPlan.MTU / link.bytesPerSecond() * 1e9))
                .max()
                .orElse(0);
    }

    /** The command of a program on a node, for callers that start it themselves; its parent is this process. */
    public ProcessBuilder command(int rank, NodeProgram program) {
        ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder()
                .addAll(sandbox.enter(AddressPlan.node(rank), options.folder()))
                .addAll(program.command())
                .build());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(NodeEnvironment::belongsToAnotherJob);
        environment.putAll(environment(rank));
        environment.putAll(program.environment());
        return builder;
    }

    /** The variables by which the program of a node finds its place in the job. */
    public ImmutableMap<String, String> environment(int rank) {
        ClusterSpec cluster = scenario.clusters().get(places.get(rank).cluster());
        int root = scenario.rankOf(scenario.root());
        return NodeEnvironment.of(rank, places.size(), cluster.name(), address(0), address(root));
    }

    /** Runs commands in the testbed, as root, outside of every node. Any thread may, also while programs run. */
    public void shell(List<String> script) {
        sandbox.run(script);
    }

    private ReceivedByteCounters counters() {
        return new ReceivedByteCounters(places.stream()
                .map(place -> sandbox.path(AddressPlan.receivedCounter(place)))
                .toList());
    }

    private static ImmutableList<NodePlace> places(Scenario scenario) {
        ImmutableList.Builder<NodePlace> places = ImmutableList.builder();
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            for (int index = 0; index < scenario.clusters().get(cluster).nodes(); index++) {
                places.add(new NodePlace(cluster, index));
            }
        }
        return places.build();
    }

    /** Ends all its programs and removes it. Idempotent. */
    @Override
    public void close() {
        wan.close();
        sandbox.close();
    }
}
