package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.trace.TraceSink;
import org.robber.emulation.simulator.network.NetworkOptions;

/**
 * What to run in a scenario, and how.
 *
 * @param strategy the strategy of all nodes
 * @param seed from which everything random is drawn
 * @param dataBytes size of the data, at least 0
 * @param pieceBytes size of a piece, or 0 for what the product would choose
 * @param requestWindow requests outstanding per peer that nodes are told, at least 1
 * @param network what the scenario leaves unsaid
 * @param limitNanos virtual time after which the run is given up
 * @param sampleNanos distance of two samples of the timeline
 * @param traceSink where all that nodes are told and do goes
 */
public record SimulationOptions(
        MulticastStrategy strategy,
        long seed,
        long dataBytes,
        int pieceBytes,
        int requestWindow,
        NetworkOptions network,
        long limitNanos,
        long sampleNanos,
        TraceSink traceSink) {
    /** A sink for those who want no trace; nodes are not wrapped for it. */
    public static final TraceSink NO_TRACE = event -> {};

    private static final long DAY_NANOS = 86_400_000_000_000L;
    private static final long SECOND_NANOS = 1_000_000_000;

    public SimulationOptions {
        checkArgument(dataBytes >= 0, "dataBytes: %s", dataBytes);
        checkArgument(pieceBytes >= 0, "pieceBytes: %s", pieceBytes);
        checkArgument(requestWindow >= 1, "requestWindow: %s", requestWindow);
        checkArgument(limitNanos >= 1, "limitNanos: %s", limitNanos);
        checkArgument(sampleNanos >= 1, "sampleNanos: %s", sampleNanos);
    }

    /** Everything else as the product would do it. */
    public static SimulationOptions of(MulticastStrategy strategy, long seed, long dataBytes) {
        return new SimulationOptions(
                strategy,
                seed,
                dataBytes,
                0,
                NodeSetup.PUBLISHED_REQUEST_WINDOW,
                NetworkOptions.defaults(),
                DAY_NANOS,
                SECOND_NANOS,
                NO_TRACE);
    }

    /** The same with another size of pieces. */
    public SimulationOptions withPieceBytes(int bytes) {
        return new SimulationOptions(
                strategy, seed, dataBytes, bytes, requestWindow, network, limitNanos, sampleNanos, traceSink);
    }

    /** The same with another window. */
    public SimulationOptions withRequestWindow(int window) {
        return new SimulationOptions(
                strategy, seed, dataBytes, pieceBytes, window, network, limitNanos, sampleNanos, traceSink);
    }

    /** The same with another network. */
    public SimulationOptions withNetwork(NetworkOptions newNetwork) {
        return new SimulationOptions(
                strategy, seed, dataBytes, pieceBytes, requestWindow, newNetwork, limitNanos, sampleNanos, traceSink);
    }

    /** The same with a limit in virtual time. */
    public SimulationOptions withLimitNanos(long nanos) {
        return new SimulationOptions(
                strategy, seed, dataBytes, pieceBytes, requestWindow, network, nanos, sampleNanos, traceSink);
    }

    /** The same with a trace. */
    public SimulationOptions withTraceSink(TraceSink sink) {
        return new SimulationOptions(
                strategy, seed, dataBytes, pieceBytes, requestWindow, network, limitNanos, sampleNanos, sink);
    }
}
