package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.SendLimits;
import org.robber.cli.emulate.EmulateOutput;
import org.robber.cli.emulate.EmulateRequest;
import org.robber.cli.emulate.EmulateRun;
import org.robber.cli.option.DurationText;
import org.robber.emulation.report.Detail;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code robber-cli emulate}. */
@Command(
        name = "emulate",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description =
                "Runs strategies in networks described by scenario files, and compares them with what is possible.",
        footerHeading = "%nOutput:%n",
        footer = {
            "  A line for each run: its share of the bound (the time in which an optimum that adapts at once could",
            "  have done it; STORE: one that knows the future), WAN copies (data that entered a cluster / size of",
            "  the data; 1 is ideal), control bytes / data, pieces that crossed between clusters. Then the means.",
            "  Where a node's place in a job counts, --exec finds it in ROBBER_RANK, ROBBER_SIZE, ROBBER_CLUSTER,",
            "  ROBBER_URI, ROBBER_ROOT_ADDRESS; ROBBER_DATA_SIZE and ROBBER_SEED are those of the run.",
            "  Every long option can be set as ROBBER_LAB_<OPTION>: ROBBER_LAB_RUNS=5, ROBBER_LAB_DATA_SIZE=1GB.",
            "%nExit codes:",
            "  0 all runs complete; 1 internal error; 2 usage, or a faulty scenario; 3 no such file; 5 no run",
            "  complete; 6 report cannot be written; 23 some runs complete; 30 deadline; 130/143 interrupted"
        })
final class EmulateCommand implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Scenarios, as docs/how-to/emulate.md describes them.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            description = "One or more of them: robber,mob,bittorrent:rarest,endgame. Default: robber.")
    private List<String> strategies = new ArrayList<>();

    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description = "Runs of each strategy in each scenario; the next one has the next seed. Default: 1.")
    private int runs;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write every event of the run to this file; for one run alone.")
    private @Nullable Path trace;

    @Option(
            names = "--testbed",
            fallbackValue = "true",
            arity = "0",
            description = "Run real processes in network namespaces of this machine, one node a process; needs root.")
    private boolean testbed;

    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            description = "In the testbed: what each node runs, by sh, instead of robber-cli replicate.")
    private @Nullable String exec;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "Give up after 90s, 5m, 2h ...; runs that are done are reported. Default: never.")
    private @Nullable Duration deadline;

    @Override
    public Integer call() throws Exception {
        options.showLog();
        List<String> strategyNames = exec != null
                ? ImmutableList.of(EmulateRequest.EXEC)
                : options.strategies("--strategy", strategies, "robber");
        checkValues(strategyNames);
        EmulateRequest request = options.request(files, strategyNames, runs, testbed, exec, trace, deadline);
        return new EmulateRun(
                        request,
                        new EmulateOutput(System.out, options.output, Detail.EVERY_NODE),
                        options.progress(),
                        options::say)
                .run();
    }

    private void checkValues(List<String> strategyNames) {
        options.check(testbed);
        options.checkRuns("--runs", runs);
        if (exec != null && !testbed) {
            throw options.bad("--exec runs programs in the testbed: add --testbed");
        }
        if (exec != null && !strategies.isEmpty()) {
            throw options.bad("--exec and --strategy exclude one another");
        }
        if (exec != null && !options.sendLimits.limits().equals(SendLimits.none())) {
            throw options.bad("--bwlimit and --wan-bwlimit limit Robber's own nodes, and --exec runs something else");
        }
        if (testbed && trace != null) {
            throw options.bad("--trace is of the simulator: leave out --testbed");
        }
        if (trace != null && (runs > 1 || strategyNames.size() > 1 || files.size() > 1)) {
            throw options.bad("--trace is for one run: one scenario, one strategy, --runs=1");
        }
    }
}
