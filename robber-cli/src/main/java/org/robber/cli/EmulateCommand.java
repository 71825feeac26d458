package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.SendLimits;
import org.robber.cli.emulate.EmulateProgress;
import org.robber.cli.emulate.ExperimentConsole;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.InvocationText;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.FileFailure;
import org.robber.emulation.runner.ExperimentException;
import org.robber.emulation.runner.ExperimentRequest;
import org.robber.emulation.runner.ExperimentRun;
import org.robber.emulation.testbed.ExecRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code robber-cli emulate}, which {@code bench} is another name of. */
@Command(
        name = "emulate",
        aliases = "bench",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description =
                "Runs strategies in networks described by scenario files, in the simulator or with real processes,"
                        + " and compares them with the theoretical maximum.",
        footerHeading = "%nOutput:%n",
        footer = {
            "  A line for each run: its share of the bound (the time of an optimum that adapts at once; STORE:",
            "  of one that knows the future), WAN copies (data that entered a cluster / size of the data; 1 is",
            "  ideal), control bytes / data, pieces that crossed between clusters.",
            "  Then a line for each strategy in each scenario, means with 95 %% confidence intervals: S, the",
            "  share of runs in which every node got everything (within --run-deadline); of these runs G,",
            "  goodput (size / time), N, network overhead (bytes sent beyond one copy for each receiver), CPU",
            "  seconds per GB received (of processes, or what --cores charges simulated nodes).",
            "  With --report, journal.jsonl keeps finished runs: after an interruption the same command",
            "  continues, and more scenarios, calls, strategies and runs may be added.",
            "  --exec finds the place of its node in ROBBER_RANK, ROBBER_SIZE, ROBBER_CLUSTER, ROBBER_URI and",
            "  ROBBER_ROOT_ADDRESS; ROBBER_DATA_SIZE and ROBBER_SEED are those of the run.",
            "  Every long option can be set as ROBBER_LAB_<OPTION>, as in ROBBER_LAB_DATA_SIZE=1GB.",
            "%nExit codes:",
            "  0 all runs complete, in time or late; 1 internal error; 2 usage, or an error in a scenario; 3 no",
            "  such file; 5 no run complete, or no testbed; 6 report cannot be written, or the folder holds",
            "  another experiment; 23 some runs complete; 30 deadline; 130/143 interrupted"
        })
final class EmulateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Scenarios (docs/how-to/emulate.md): files, folders, or names with wildcards.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--scenarios", hidden = true)
    private List<String> moreFiles = new ArrayList<>();

    @Mixin
    private ExperimentOptions experiment = new ExperimentOptions();

    @Mixin
    private SimulatorOptions simulator = new SimulatorOptions();

    @Mixin
    private RealProcessOptions processes = new RealProcessOptions();

    @Mixin
    private DisplayOptions display = new DisplayOptions();

    @Override
    public Integer call() {
        display.apply();
        ImmutableList<String> strategies =
                processes.command() == null ? experiment.strategies() : ImmutableList.of(ExecRun.STRATEGY);
        check();
        EmulateProgress progress = new EmulateProgress(
                StatusConsole.standardError(), display.progress(), DisplayOptions.width(), System::nanoTime);
        ExperimentConsole console = new ExperimentConsole(System.out, display.output(), progress, display::say);
        try {
            return exitCode(new ExperimentRun(request(strategies), console).run());
        } catch (ExperimentException e) {
            if (console.hasEnded()) {
                spec.commandLine().setExecutionResult(UsageErrors.HAS_RESULT);
            }
            String message = String.valueOf(e.getMessage());
            throw new RobberException(
                    Reason.valueOf(e.reason().name()),
                    List.of(),
                    e.phase(),
                    e.getCause() instanceof IOException failure ? message + ": " + FileFailure.text(failure) : message,
                    e);
        } finally {
            progress.end();
        }
    }

    private void check() {
        experiment.check(processes.testbed());
        simulator.check(processes.testbed());
        processes.check();
        if (files.isEmpty() && moreFiles.isEmpty()) {
            throw experiment.bad("name at least one scenario file");
        }
        if (processes.command() != null && experiment.namesStrategies()) {
            throw experiment.bad("use --exec or --strategy, not both");
        }
        if (processes.command() != null && !experiment.sendLimits().equals(SendLimits.none())) {
            throw experiment.bad("--bwlimit and --wan-bwlimit do not limit the programs of --exec");
        }
        if (processes.command() != null && experiment.choosesPieces()) {
            throw experiment.bad("--piece-size and --request-window do not reach the programs of --exec");
        }
        if (processes.command() != null && experiment.jobsBeside() > 0) {
            throw experiment.bad("--beside starts no programs of --exec: let the command start more of them");
        }
    }

    private ExperimentRequest request(ImmutableList<String> strategies) {
        return experiment.request(
                ImmutableList.<String>builder().addAll(files).addAll(moreFiles).build(),
                strategies,
                simulator.settings(),
                processes.settings(),
                InvocationText.of(spec.commandLine()));
    }

    private static int exitCode(ExperimentRun.Completeness completeness) {
        return switch (completeness) {
            case ALL -> 0;
            case SOME -> Reason.PARTIAL.exitCode();
            case NONE -> Reason.NETWORK.exitCode();
        };
    }
}
