package org.robber.cli;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.cli.emulate.EmulateProgress;
import org.robber.cli.emulate.EmulateRequest;
import org.robber.cli.emulate.StrategyList;
import org.robber.cli.launch.OwnCommand;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.option.DataSizeText;
import org.robber.cli.option.InvocationText;
import org.robber.cli.option.SendLimitOptions;
import org.robber.cli.option.SizeText;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.OutputFormat;
import org.robber.core.piece.PieceLayout;
import org.robber.emulation.simulator.SharedComputer;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.WanKind;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every command that does experiments: what runs are like, how many at a time, and what is shown of them. */
final class ExperimentOptions {

    private static final int LARGEST_PIECE_BYTES = 1 << 30;
    private static final int MOST_RUNS = 1_000_000;
    private static final int MOST_NODES_OF_A_CLUSTER = 1_000_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Everything random is drawn from it: the same seed, the same run. Default: 1.")
    long seed;

    @Option(
            names = {"--size", "--data-size"},
            paramLabel = "SIZE",
            defaultValue = "600MB",
            converter = DataSizeText.class,
            description = "Size of the data: 64M (power of two), 600MB (power of ten). Default: 600MB.")
    long dataBytes;

    @Option(names = "--nodes", paramLabel = "N", description = "Nodes of each cluster. Default: as the scenario says.")
    @Nullable
    Integer nodes;

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "64K, 1M ... Default: by the size of the data.")
    @Nullable
    Long pieceBytes;

    @Option(
            names = "--request-window",
            paramLabel = "N",
            description = "Pieces asked of one peer at a time, at first. Default: as replicate does it.")
    @Nullable
    Integer requestWindow;

    @Mixin
    SendLimitOptions sendLimits = new SendLimitOptions();

    @Option(
            names = "--faults",
            paramLabel = "SEED",
            description = "Let some things go wrong, drawn from this seed: nodes stall, cards slow down, links break,"
                    + " pieces are damaged. All of it passes. Runs of a scenario suffer the same.")
    @Nullable
    Long faultSeed;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Simulate all nodes on one machine with N processors, as in the testbed. Default: nodes have"
                    + " all the processor time they want.")
    @Nullable
    Integer cores;

    @Option(
            names = "--core-speed",
            paramLabel = "FACTOR",
            description =
                    "With --cores: how fast these processors are, where 1 is as fast as those on which the costs of"
                            + " nodes were measured (default).")
    @Nullable
    Double coreSpeed;

    @Option(
            names = "--congestion",
            paramLabel = "NAME",
            description = "In the testbed: how TCP avoids congestion: cubic, bbr ... Default: as this machine does.")
    @Nullable
    String congestion;

    @Option(
            names = "--wan",
            paramLabel = "KIND",
            description = "In the testbed: what emulates the links between clusters: tun (default), a process of the"
                    + " testbed; or netem, the kernel's.")
    @Nullable
    WanKind wan;

    @Option(
            names = "--reserve-memory",
            fallbackValue = "true",
            arity = "0",
            description = "In the testbed: touch the memory that a run needs before it starts, for virtual machines"
                    + " whose host takes free memory back.")
    boolean reserveMemory;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Runs at a time. Default: one per processor; one where scenarios are large.")
    @Nullable
    Integer jobs;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write report.html, results.json, results.csv and summary.csv to this folder.")
    @Nullable
    Path report;

    @Option(
            names = "--progress",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "auto (default), bar, plain, json or none.")
    ProgressMode progress = ProgressMode.AUTO;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the results as text (default) or json.")
    OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Say more.")
    boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            fallbackValue = "true",
            arity = "0",
            description = "Say nothing but errors and the results.")
    boolean quiet;

    /**
     * Refuses what means nothing.
     *
     * @param testbed whether real processes are to run
     */
    void check(boolean testbed) {
        if (verbose && quiet) {
            throw bad("-v and -q exclude one another");
        }
        atLeastOne("--nodes", nodes);
        atLeastOne("--jobs", jobs);
        atLeastOne("--cores", cores);
        if (coreSpeed != null && cores == null) {
            throw bad("--core-speed is for --cores, which is not given");
        }
        if (coreSpeed != null && !(coreSpeed >= SharedComputer.LEAST_SPEED && coreSpeed <= SharedComputer.MOST_SPEED)) {
            throw bad(String.format(
                    Locale.ROOT,
                    "--core-speed must be %.3f to %.0f",
                    SharedComputer.LEAST_SPEED,
                    SharedComputer.MOST_SPEED));
        }
        atLeastOne("--request-window", requestWindow);
        if (nodes != null && nodes > MOST_NODES_OF_A_CLUSTER) {
            throw bad("--nodes must be at most " + MOST_NODES_OF_A_CLUSTER);
        }
        if (pieceBytes != null && (pieceBytes < 1 || pieceBytes > LARGEST_PIECE_BYTES)) {
            throw bad("--piece-size must be 1 to 1G");
        }
        if (pieceBytes != null && (dataBytes - 1) / pieceBytes >= PieceLayout.MAX_PIECES) {
            throw bad("--piece-size cuts the data into more than " + PieceLayout.MAX_PIECES + " pieces");
        }
        if (testbed && jobs != null && jobs > 1) {
            throw bad("the testbed runs one job at a time: leave out --jobs");
        }
        if (testbed && (faultSeed != null || cores != null)) {
            throw bad((faultSeed != null ? "--faults" : "--cores") + " is of the simulator: leave out the testbed");
        }
        if (congestion != null && !testbed) {
            throw bad("--congestion is of the testbed, and the simulator was asked for");
        }
        if (wan != null && !testbed) {
            throw bad("--wan is of the testbed, and the simulator was asked for");
        }
        if (reserveMemory && !testbed) {
            throw bad("--reserve-memory is of the testbed, and the simulator was asked for");
        }
    }

    void atLeastOne(String option, @Nullable Integer value) {
        if (value != null && value < 1) {
            throw bad(option + " must be at least 1");
        }
    }

    /** Refuses a number of runs of each strategy in each scenario that makes no sense. */
    void checkRuns(String option, @Nullable Integer value) {
        atLeastOne(option, value);
        if (value != null && value > MOST_RUNS) {
            throw bad(option + " must be at most " + MOST_RUNS);
        }
    }

    /** The strategies of these texts, or these by default; what is unknown is refused. */
    ImmutableList<String> strategies(String option, List<String> texts, String byDefault) {
        try {
            return StrategyList.parse(texts.isEmpty() ? ImmutableList.of(byDefault) : texts);
        } catch (IllegalArgumentException e) {
            throw bad(option + ": " + e.getMessage());
        }
    }

    ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    void showLog() {
        LogSetup.show(verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL);
    }

    /** Progress on standard error, as it was asked for. */
    EmulateProgress progress() {
        return new EmulateProgress(StatusConsole.standardError(), progressMode(), System::nanoTime);
    }

    private ProgressMode progressMode() {
        if (progress != ProgressMode.AUTO) {
            return progress;
        }
        boolean terminal = System.getProperty("robber.cli.columns") != null;
        return quiet ? ProgressMode.NONE : terminal ? ProgressMode.BAR : ProgressMode.PLAIN;
    }

    /** What people may want to know, on standard error. */
    void say(String line) {
        if (!quiet) {
            StatusConsole.standardError().line("robber-cli: " + line);
        }
    }

    /**
     * What is to be run, with these options.
     *
     * @param files scenarios
     * @param strategies names of strategies that there are
     * @param runs of each strategy in each scenario
     * @param testbed whether real processes run
     * @param exec what they run instead of this program
     * @param trace where events go
     * @param limit after which everything ends
     */
    EmulateRequest request(
            List<Path> files,
            List<String> strategies,
            int runs,
            boolean testbed,
            @Nullable String exec,
            @Nullable Path trace,
            @Nullable Duration limit) {
        return new EmulateRequest(
                files,
                strategies,
                seed,
                runs,
                dataBytes,
                nodes == null ? 0 : nodes,
                pieceBytes == null ? 0 : (int) (long) pieceBytes,
                requestWindow == null ? 0 : requestWindow,
                sendLimits.limits(),
                testbed,
                exec,
                new TestbedOptions.Choices(wan == null ? WanKind.TUN : wan, congestion, reserveMemory),
                ImmutableList.<String>builder()
                        .addAll(OwnCommand.java())
                        .addAll(OwnCommand.program())
                        .build(),
                faultSeed,
                cores == null ? null : new SharedComputer(cores, coreSpeed == null ? 1 : coreSpeed),
                trace,
                jobs == null ? 0 : jobs,
                limit,
                report,
                InvocationText.of(spec.commandLine()),
                VersionText.version());
    }
}
