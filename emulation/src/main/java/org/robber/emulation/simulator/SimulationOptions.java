package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CheckReturnValue;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.DataPlacement;
import org.robber.core.trace.TraceSink;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.checker.ReducedContents;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.network.NetworkOptions;
import org.robber.emulation.simulator.network.NodeSendLimits;

/** A run of a strategy in a scenario. Immutable. By default everything is as in the product, and nothing goes wrong. */
@CheckReturnValue
public final class SimulationOptions {
    private static final long DAY_NANOS = 86_400_000_000_000L;
    private static final long SECOND_NANOS = 1_000_000_000;

    /** A run that takes so many times its bound hardly ends. */
    private static final int MOST_BOUNDS = 20;

    /** The default stall limit of the product. */
    private static final long SILENCE_NANOS = 5 * SECOND_NANOS;

    /** From here on downwards are the uses of the seed for jobs beside the one that is measured. */
    private static final long JOB_USE = -1000;

    private final MulticastStrategy strategy;
    private long seed;
    private final long dataBytes;
    private int pieceBytes;
    private int requestWindow = NodeSetup.PUBLISHED_REQUEST_WINDOW;
    private NetworkOptions network = NetworkOptions.defaults();
    private NodeCosts costs = NodeCosts.NONE;
    private FaultPlan faults = FaultPlan.NONE;
    private long silenceNanos = SILENCE_NANOS;
    private Collective collective = Collective.MULTICAST;
    private @Nullable IntFunction<DataPlacement> ownPlacement;
    private int jobsBeside;
    private ImmutableList<Long> joinNanos = ImmutableList.of();
    private long limitNanos = DAY_NANOS;
    private long sampleNanos = SECOND_NANOS;
    private @Nullable TraceSink traceSink;
    private ReducedContents.ResultSink resultSink = (rank, chunk, bits) -> {};

    private SimulationOptions(MulticastStrategy strategy, long seed, long dataBytes) {
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        this.strategy = strategy;
        this.seed = seed;
        this.dataBytes = dataBytes;
    }

    /**
     * A run of a strategy.
     *
     * @param seed from which everything random is drawn
     * @param dataBytes size of the data, at least 0
     */
    public static SimulationOptions of(MulticastStrategy strategy, long seed, long dataBytes) {
        return new SimulationOptions(strategy, seed, dataBytes);
    }

    private SimulationOptions with(Consumer<SimulationOptions> change) {
        SimulationOptions copy = new SimulationOptions(strategy, seed, dataBytes);
        copy.pieceBytes = pieceBytes;
        copy.requestWindow = requestWindow;
        copy.network = network;
        copy.costs = costs;
        copy.faults = faults;
        copy.silenceNanos = silenceNanos;
        copy.collective = collective;
        copy.ownPlacement = ownPlacement;
        copy.jobsBeside = jobsBeside;
        copy.joinNanos = joinNanos;
        copy.limitNanos = limitNanos;
        copy.sampleNanos = sampleNanos;
        copy.traceSink = traceSink;
        copy.resultSink = resultSink;
        change.accept(copy);
        return copy;
    }

    /** With pieces of this size; 0 chooses it as the product does. */
    public SimulationOptions withPieceBytes(int bytes) {
        checkArgument(bytes >= 0, "pieceBytes: %s", bytes);
        return with(options -> options.pieceBytes = bytes);
    }

    /** With this number of requests outstanding per peer, at least 1. */
    public SimulationOptions withRequestWindow(int requests) {
        checkArgument(requests >= 1, "requestWindow: %s", requests);
        return with(options -> options.requestWindow = requests);
    }

    /** With another network, as far as the scenario leaves it open. */
    public SimulationOptions withNetwork(NetworkOptions newNetwork) {
        return with(options -> options.network = newNetwork);
    }

    /** With nodes that limit their sending rate. */
    public SimulationOptions withSendLimits(NodeSendLimits limits) {
        return with(options -> options.network = network.withSendLimits(limits));
    }

    /** With computers that work takes time on. */
    public SimulationOptions withCosts(NodeCosts newCosts) {
        return with(options -> options.costs = newCosts);
    }

    /** With things that go wrong. */
    public SimulationOptions withFaults(FaultPlan plan) {
        return with(options -> options.faults = plan);
    }

    /** With this time after which a peer that sends nothing is called stalled, at least 1; that of the product by default. */
    public SimulationOptions withSilenceNanos(long nanos) {
        checkArgument(nanos >= 1, "silenceNanos: %s", nanos);
        return with(options -> options.silenceNanos = nanos);
    }

    /** With another collective call than a multicast. */
    public SimulationOptions withCollective(Collective newCollective) {
        return with(options -> options.collective = newCollective);
    }

    /** With a call without products that is none of {@link Collective}: who possesses and who wants which of so many pieces. */
    SimulationOptions withPlacement(IntFunction<DataPlacement> placementOfPieces) {
        return with(options -> options.ownPlacement = placementOfPieces);
    }

    /**
     * With nodes that join during the transfer, one at each of these times: the last nodes of the scenario by rank, without the
     * root. No node knows of a joining node before.
     */
    public SimulationOptions withJoins(List<Long> atNanos) {
        return with(options -> options.joinNanos = ImmutableList.copyOf(atNanos));
    }

    /** With so many more multicasts over the same network at the same time, each with a seed of its own. */
    public SimulationOptions withJobsBeside(int jobs) {
        checkArgument(jobs >= 0, "jobsBeside: %s", jobs);
        return with(options -> options.jobsBeside = jobs);
    }

    /** Those of a job beside this one, by number from 1. */
    SimulationOptions ofAnotherJob(int number) {
        return with(options -> {
            options.seed = SeededRandom.forUse(seed, JOB_USE - number).nextLong();
            options.faults = FaultPlan.NONE;
            options.traceSink = null;
        });
    }

    /** With a limit of a day or {@value #MOST_BOUNDS} times this bound, whichever is longer; a bound that is no finite number changes nothing. */
    public SimulationOptions withLimitForBound(double boundSeconds) {
        double nanos = MOST_BOUNDS * boundSeconds * SECOND_NANOS;
        return nanos > DAY_NANOS && nanos < Long.MAX_VALUE ? withLimitNanos((long) nanos) : this;
    }

    /** With this limit of virtual time, at least 1; a day by default. */
    public SimulationOptions withLimitNanos(long nanos) {
        checkArgument(nanos >= 1, "limitNanos: %s", nanos);
        return with(options -> options.limitNanos = nanos);
    }

    /** With this distance between two samples of the timeline, at least 1; a second by default. */
    public SimulationOptions withSampleNanos(long nanos) {
        checkArgument(nanos >= 1, "sampleNanos: %s", nanos);
        return with(options -> options.sampleNanos = nanos);
    }

    /** With a sink for all events and actions of nodes. */
    public SimulationOptions withTraceSink(TraceSink sink) {
        return with(options -> options.traceSink = sink);
    }

    /** With a sink for the results of a reduction. */
    SimulationOptions withResultSink(ReducedContents.ResultSink sink) {
        return with(options -> options.resultSink = sink);
    }

    MulticastStrategy strategy() {
        return strategy;
    }

    long seed() {
        return seed;
    }

    long dataBytes() {
        return dataBytes;
    }

    Collective collective() {
        return collective;
    }

    /** Who possesses, wants and produces which pieces. */
    DataPlacement placement(Scenario scenario, int pieceCount) {
        return ownPlacement == null
                ? collective.placement(scenario, strategy.reductions(scenario.topology()), pieceCount)
                : ownPlacement.apply(pieceCount);
    }

    int pieceBytes() {
        return pieceBytes;
    }

    int requestWindow() {
        return requestWindow;
    }

    NetworkOptions network() {
        return network;
    }

    NodeCosts costs() {
        return costs;
    }

    FaultPlan faults() {
        return faults;
    }

    long silenceNanos() {
        return silenceNanos;
    }

    /** When nodes join, in the order of their ranks. */
    ImmutableList<Long> joinNanos() {
        return joinNanos;
    }

    /** The promises of a node that takes part from the start. */
    StrategyLimits limits(NodeSetup setup, Scenario scenario) {
        StrategyLimits held = strategy.limits(setup);
        held = joinNanos.isEmpty() ? held : held.withJoiners();
        return faults.isEmpty() && !scenario.hasLinksThatStop() ? held : held.underFaults();
    }

    long limitNanos() {
        return limitNanos;
    }

    int jobsBeside() {
        return jobsBeside;
    }

    long sampleNanos() {
        return sampleNanos;
    }

    ReducedContents.ResultSink resultSink() {
        return resultSink;
    }

    @Nullable
    TraceSink traceSink() {
        return traceSink;
    }
}
