package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.cli.emulate.EmulateOutput;
import org.robber.cli.emulate.EmulateProgress;
import org.robber.cli.emulate.EmulateRequest;
import org.robber.cli.emulate.EmulateRun;
import org.robber.cli.emulate.StrategyList;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
            "  Every long option can be set as ROBBER_<OPTION>: ROBBER_RUNS=5, ROBBER_DATA_SIZE=1GB.",
            "%nExit codes:",
            "  0 all runs complete; 1 internal error; 2 usage, or a faulty scenario; 3 no such file; 5 no run",
            "  complete; 6 report cannot be written; 23 some runs complete; 30 deadline; 130/143 interrupted"
        })
final class EmulateCommand implements Callable<Integer> {

    private static final int LARGEST_PIECE_BYTES = 1 << 30;
    private static final int MOST_NODES_OF_A_CLUSTER = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Scenarios, as docs/emulation.md describes them.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            description = "One or more of them: robber,mob,bittorrent:rarest,endgame. Default: robber.")
    private List<String> strategies = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Everything random is drawn from it: the same seed, the same run. Default: 1.")
    private long seed;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description = "Runs of each strategy in each scenario; the next one has the next seed. Default: 1.")
    private int runs;

    @Option(
            names = {"--size", "--data-size"},
            paramLabel = "SIZE",
            defaultValue = "600MB",
            converter = DataSizeText.class,
            description = "Size of the data: 64M (power of two), 600MB (power of ten). Default: 600MB.")
    private long dataBytes;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of each cluster. Default: as the scenario says.")
    private @Nullable Integer nodes;

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "64K, 1M ... Default: by the size of the data.")
    private @Nullable Long pieceBytes;

    @Option(
            names = "--request-window",
            paramLabel = "N",
            description = "Pieces asked of one peer at a time. Default: as replicate does it.")
    private @Nullable Integer requestWindow;

    @Option(
            names = "--faults",
            paramLabel = "SEED",
            description = "Let some things go wrong, drawn from this seed: nodes stall, cards slow down, links break,"
                    + " pieces are damaged. All of it passes. Runs of a scenario suffer the same.")
    private @Nullable Long faultSeed;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Simulate all nodes on one machine with N processors, as in the testbed. Default: nodes have"
                    + " all the processor time they want.")
    private @Nullable Integer cores;

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
            names = "--congestion",
            paramLabel = "NAME",
            description = "In the testbed: how TCP avoids congestion: cubic, bbr ... Default: as this machine does.")
    private @Nullable String congestion;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Runs at a time. Default: one per processor; one where scenarios are large.")
    private @Nullable Integer jobs;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "Give up after 90s, 5m, 2h ...; runs that are done are reported. Default: never.")
    private @Nullable Duration deadline;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write report.html, results.json and results.csv to this folder.")
    private @Nullable Path report;

    @Option(
            names = "--progress",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "auto (default), bar, plain, json or none.")
    private ProgressMode progress = ProgressMode.AUTO;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the results as text (default) or json.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Say more.")
    private boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            fallbackValue = "true",
            arity = "0",
            description = "Say nothing but errors and the results.")
    private boolean quiet;

    @Override
    public Integer call() throws Exception {
        LogSetup.show(verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL);
        List<String> strategyNames = strategyNames();
        checkValues(strategyNames);
        EmulateRequest request = new EmulateRequest(
                files,
                strategyNames,
                seed,
                runs,
                dataBytes,
                nodes == null ? 0 : nodes,
                pieceBytes == null ? 0 : (int) (long) pieceBytes,
                requestWindow == null ? 0 : requestWindow,
                testbed,
                exec,
                congestion,
                ImmutableList.<String>builder()
                        .addAll(OwnCommand.java())
                        .addAll(OwnCommand.program())
                        .build(),
                faultSeed,
                cores == null ? 0 : cores,
                trace,
                jobs == null ? 0 : jobs,
                deadline,
                report,
                InvocationText.of(spec.commandLine()),
                VersionText.version());
        StatusConsole console = StatusConsole.standardError();
        return new EmulateRun(
                        request,
                        new EmulateOutput(System.out, output),
                        new EmulateProgress(console, progressMode(), System::nanoTime),
                        line -> {
                            if (!quiet) {
                                console.line("robber-cli: " + line);
                            }
                        })
                .run();
    }

    private List<String> strategyNames() {
        if (exec != null) {
            return ImmutableList.of(EmulateRequest.EXEC);
        }
        try {
            return StrategyList.parse(strategies.isEmpty() ? ImmutableList.of("robber") : strategies);
        } catch (IllegalArgumentException e) {
            throw bad("--strategy: " + e.getMessage());
        }
    }

    private void checkValues(List<String> strategyNames) {
        if (verbose && quiet) {
            throw bad("-v and -q exclude one another");
        }
        atLeastOne("--runs", runs);
        atLeastOne("--nodes", nodes);
        atLeastOne("--jobs", jobs);
        atLeastOne("--cores", cores);
        atLeastOne("--request-window", requestWindow);
        if (nodes != null && nodes > MOST_NODES_OF_A_CLUSTER) {
            throw bad("--nodes must be at most " + MOST_NODES_OF_A_CLUSTER);
        }
        if (pieceBytes != null && (pieceBytes < 1 || pieceBytes > LARGEST_PIECE_BYTES)) {
            throw bad("--piece-size must be 1 to 1G");
        }
        if (exec != null && !testbed) {
            throw bad("--exec runs programs in the testbed: add --testbed");
        }
        if (congestion != null && !testbed) {
            throw bad("--congestion is of the testbed: add --testbed");
        }
        if (exec != null && !strategies.isEmpty()) {
            throw bad("--exec and --strategy exclude one another");
        }
        if (testbed && jobs != null && jobs > 1) {
            throw bad("--testbed runs one job at a time");
        }
        if (testbed && (trace != null || faultSeed != null || cores != null)) {
            String option = trace != null ? "--trace" : faultSeed != null ? "--faults" : "--cores";
            throw bad(option + " is of the simulator: leave out --testbed");
        }
        if (trace != null && (runs > 1 || strategyNames.size() > 1 || files.size() > 1)) {
            throw bad("--trace is for one run: one scenario, one strategy, --runs=1");
        }
    }

    private void atLeastOne(String option, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw bad(option + " must be at least 1");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private ProgressMode progressMode() {
        if (progress != ProgressMode.AUTO) {
            return progress;
        }
        boolean terminal = System.getProperty("robber.cli.columns") != null;
        return quiet ? ProgressMode.NONE : terminal ? ProgressMode.BAR : ProgressMode.PLAIN;
    }
}
