package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.robber.cli.emulate.BenchRequest;
import org.robber.cli.emulate.BenchRun;
import org.robber.cli.emulate.EmulateOutput;
import org.robber.cli.emulate.ScenarioPaths;
import org.robber.cli.option.DeadlineText;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.report.Detail;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code robber-cli bench}. */
@Command(
        name = "bench",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description =
                "Compares strategies: each in every scenario with every seed, in the simulator or with real processes.",
        footerHeading = "%nOutput:%n",
        footer = {
            "  A line for each strategy in each scenario, means with 95 %% confidence intervals: S, the share of runs",
            "  in which every node got everything (before the --deadline, if there is one); of these runs: share of",
            "  the bound, G, goodput (size / time until the last node has everything), N, network overhead (what was",
            "  sent beyond one copy for each receiver), WAN copies, CPU seconds per GB received (of processes,",
            "  or what simulated nodes were charged by --cores).",
            "  With --report, each run is kept in journal.jsonl when it is done: the same command continues where it",
            "  was interrupted, and more scenarios, strategies and seeds may come to what is there.",
            "  Every long option can be set as ROBBER_LAB_<OPTION>: ROBBER_LAB_SEEDS=5, ROBBER_LAB_DATA_SIZE=1GB.",
            "%nExit codes:",
            "  0 in all runs every node got everything, in time or late; 1 internal error; 2 usage, or a faulty",
            "  scenario; 3 no such file; 5 no run complete, or no testbed; 6 report cannot be written, or the folder",
            "  holds another comparison; 23 some runs complete; 130/143 interrupted, the same command continues"
        })
final class BenchCommand implements Callable<Integer> {
    /** The four that figures were published for. */
    private static final String PUBLISHED = "robber,mob,bittorrent,balanced";

    @Option(
            names = "--scenarios",
            required = true,
            paramLabel = "FILES",
            description = "Scenario files, separated by commas; also folders and names with wildcards.")
    private List<String> scenarios = new ArrayList<>();

    @Option(
            names = "--strategies",
            paramLabel = "NAMES",
            description = "robber,mob,bittorrent:rarest,endgame ... Default: " + PUBLISHED + ".")
    private List<String> strategies = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many runs of each strategy in each scenario, with the seeds from --seed on. Default: 5.")
    private int seeds;

    @Option(
            names = "--backend",
            paramLabel = "WHERE",
            defaultValue = "sim",
            description = "sim (default), the simulator; or testbed, real processes in namespaces, which needs root.")
    private ExperimentBackend backend = ExperimentBackend.SIM;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DeadlineText.class,
            description = "When a run is too late to succeed: 90s, 5m, or 3x the scenario's bound. Default: never.")
    private Deadline deadline = Deadline.NONE;

    @Option(
            names = "--restart",
            fallbackValue = "true",
            arity = "0",
            description = "Give up the runs that the folder of the report holds, and begin anew.")
    private boolean restart;

    @Mixin
    private ExperimentOptions options = new ExperimentOptions();

    @Override
    public Integer call() throws Exception {
        options.showLog();
        boolean testbed = backend == ExperimentBackend.TESTBED;
        ImmutableList<String> names = options.strategies("--strategies", strategies, PUBLISHED);
        options.check(testbed);
        options.checkRuns("--seeds", seeds);
        ImmutableList<Path> files = ScenarioPaths.parse(scenarios);
        if (files.isEmpty()) {
            throw options.bad("--scenarios: name at least one file");
        }
        return new BenchRun(
                        new BenchRequest(
                                options.request(files, names, seeds, testbed, null, null, null),
                                deadline,
                                restart,
                                BuildDigest.text()),
                        new EmulateOutput(System.out, options.output, Detail.FIGURES),
                        options.progress(),
                        options::say)
                .run();
    }
}
