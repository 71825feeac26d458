package org.robber.cli.emulate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.SendLimits;
import org.robber.emulation.simulator.SharedComputer;
import org.robber.emulation.testbed.TestbedOptions;

/**
 * What the user wants emulated.
 *
 * @param files scenarios
 * @param strategies names of strategies that there are, with their options; or {@link #EXEC} alone
 * @param firstSeed of the first run of each strategy in each scenario
 * @param runs of each strategy in each scenario
 * @param dataBytes size of the data
 * @param nodes of each cluster, or 0 for what the scenario says
 * @param pieceBytes size of a piece, or 0 for what suits the data
 * @param requestWindow pieces asked of one peer at a time, or 0 for what replicate does
 * @param sendLimits what each node limits itself to
 * @param testbed whether real processes run, in namespaces
 * @param exec what nodes run in the testbed, read by a shell, or null for robber-cli replicate
 * @param choices how the testbed is made
 * @param launcher what starts robber-cli
 * @param faultSeed from which it is drawn what goes wrong, or null: nothing does
 * @param computer that all simulated nodes share, or null: computers are no bottleneck
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
        SendLimits sendLimits,
        boolean testbed,
        @Nullable String exec,
        TestbedOptions.Choices choices,
        List<String> launcher,
        @Nullable Long faultSeed,
        @Nullable SharedComputer computer,
        @Nullable Path trace,
        int jobs,
        @Nullable Duration deadline,
        @Nullable Path report,
        String commandLine,
        String version) {

    /** What stands in place of a strategy where nodes run another program. */
    public static final String EXEC = "exec";

    public EmulateRequest {
        launcher = List.copyOf(launcher);
        files = List.copyOf(files);
        strategies = List.copyOf(strategies);
    }
}
