package org.robber.cli.emulate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants emulated.
 *
 * @param files scenarios
 * @param strategies names of strategies that there are, with their options
 * @param firstSeed of the first run of each strategy in each scenario
 * @param runs of each strategy in each scenario
 * @param dataBytes size of the data
 * @param nodes of each cluster, or 0 for what the scenario says
 * @param pieceBytes size of a piece, or 0 for what suits the data
 * @param requestWindow pieces asked of one peer at a time
 * @param trace where the events of the only run go, or null
 * @param jobs runs at a time, or 0 for what suits the machine
 * @param deadline when to give up, from now, or null
 * @param report folder for the report, or null
 * @param commandLine how to ask for this again
 * @param version of Robber
 */
public record EmulateRequest(
        List<Path> files,
        List<String> strategies,
        long firstSeed,
        int runs,
        long dataBytes,
        int nodes,
        int pieceBytes,
        int requestWindow,
        @Nullable Path trace,
        int jobs,
        @Nullable Duration deadline,
        @Nullable Path report,
        String commandLine,
        String version) {

    public EmulateRequest {
        files = List.copyOf(files);
        strategies = List.copyOf(strategies);
    }
}
