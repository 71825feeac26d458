package org.robber.cli;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.cli.option.CheckedOptions;
import org.robber.cli.option.CountText;
import org.robber.cli.option.FactorText;
import org.robber.cli.option.SeedText;
import org.robber.emulation.runner.RunSettings;
import org.robber.emulation.simulator.SharedComputer;
import picocli.CommandLine.Option;

/** Options that only the simulator has. */
final class SimulatorOptions extends CheckedOptions {

    @Option(
            names = "--faults",
            paramLabel = "SEED",
            converter = SeedText.class,
            description = "Inject temporary faults, drawn from this seed: nodes stall, network cards slow down, links"
                    + " break, pieces are damaged. All runs of a scenario have the same faults.")
    private @Nullable Long faultSeed;

    @Option(
            names = "--cores",
            paramLabel = "N",
            converter = CountText.class,
            description = "Simulate all nodes on one machine with N processors, as in the testbed. Default: processor"
                    + " time is unlimited.")
    private @Nullable Integer cores;

    @Option(
            names = "--core-speed",
            paramLabel = "FACTOR",
            converter = FactorText.class,
            description =
                    "With --cores: speed of these processors. 1 (default) is the speed of those on which the costs"
                            + " of nodes were measured.")
    private @Nullable Double coreSpeed;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write every event of the run to this file; for a single run.")
    private @Nullable Path trace;

    /** Refuses options that contradict one another or the testbed. */
    void check(boolean testbed) {
        if (coreSpeed != null && cores == null) {
            throw bad("--core-speed needs --cores");
        }
        if (coreSpeed != null && !(coreSpeed >= SharedComputer.LEAST_SPEED && coreSpeed <= SharedComputer.MOST_SPEED)) {
            throw bad(String.format(
                    Locale.ROOT,
                    "--core-speed must be %.3f to %.0f",
                    SharedComputer.LEAST_SPEED,
                    SharedComputer.MOST_SPEED));
        }
        if (testbed && (faultSeed != null || cores != null || trace != null)) {
            throw bad("--faults, --cores and --trace work only in the simulator: leave out --testbed");
        }
    }

    RunSettings.Simulated settings() {
        return new RunSettings.Simulated(
                faultSeed, cores == null ? null : new SharedComputer(cores, coreSpeed == null ? 1 : coreSpeed), trace);
    }
}
