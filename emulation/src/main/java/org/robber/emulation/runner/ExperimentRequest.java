package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.scenario.Collective;

/**
 * An experiment as the user has asked for it.
 *
 * @param scenarios files, folders and names with wildcards
 * @param collectives the calls, each of which is made in each scenario
 * @param strategies names of known strategies with their options; {@link org.robber.emulation.testbed.ExecRun#STRATEGY} for a command
 * @param firstSeed seed of the first run of each strategy in each scenario
 * @param runs how many runs of each strategy in each scenario
 * @param settings what is the same for all runs
 * @param jobs runs at a time, or 0 to choose it by the machine and the scenarios
 * @param runDeadline time within which a run must be complete to succeed
 * @param deadline time limit of the experiment, or null
 * @param report folder of the report, or null
 * @param restart whether to discard the runs that the folder holds
 * @param commandLine the command that repeats the experiment
 * @param version of Robber
 * @param build distinguishes builds of the same version
 */
public record ExperimentRequest(
        ImmutableList<String> scenarios,
        ImmutableList<Collective> collectives,
        ImmutableList<String> strategies,
        long firstSeed,
        int runs,
        RunSettings settings,
        int jobs,
        Deadline runDeadline,
        @Nullable Duration deadline,
        @Nullable Path report,
        boolean restart,
        String commandLine,
        String version,
        String build) {}
