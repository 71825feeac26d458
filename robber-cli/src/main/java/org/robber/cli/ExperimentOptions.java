package org.robber.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.SendLimits;
import org.robber.cli.emulate.StrategyList;
import org.robber.cli.option.CheckedOptions;
import org.robber.cli.option.CountText;
import org.robber.cli.option.DataSizeText;
import org.robber.cli.option.DeadlineText;
import org.robber.cli.option.PieceSizeOption;
import org.robber.cli.option.RequestWindowOption;
import org.robber.cli.option.SeedText;
import org.robber.cli.option.SendLimitOptions;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceLayout;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.runner.ExperimentRequest;
import org.robber.emulation.runner.RunSettings;
import org.robber.emulation.scenario.Collective;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of experiments in the simulator and in the testbed. */
final class ExperimentOptions extends CheckedOptions {

    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            description = "One or more: robber,mob,bittorrent:rarest,endgame. Default: robber.")
    private List<String> strategies = new ArrayList<>();

    @Option(names = "--strategies", hidden = true)
    private List<String> moreStrategies = new ArrayList<>();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            converter = CountText.class,
            description = "Runs of each strategy in each scenario, with the seeds from --seed on. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--seeds", hidden = true, converter = CountText.class)
    private @Nullable Integer seeds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = SeedText.class,
            defaultValue = "1",
            description = "Seed of the first run. The same seed gives the same run. Default: ${DEFAULT-VALUE}.")
    private long firstSeed;

    @Option(
            names = "--collective",
            paramLabel = "NAME",
            split = ",",
            description =
                    "One or more calls, with commas between; all but a multicast become part of the name of the scenario. multicast: the root has the data. multi-root: so has a node of the next cluster."
                            + " striping: the nodes of the root's cluster have a part each. allgather: all nodes have a part"
                            + " each. scatter: each node gets a part from the root. gather: the root gets a part from each"
                            + " node. alltoall: each node gets a part from each other. reduce: the root gets the combined"
                            + " vectors of all nodes. allreduce: all nodes get them. reducescatter: each node gets a part of"
                            + " them. scan, exscan: each node gets those of the ranks up to its own, or below it. All but"
                            + " multicast work only in the simulator. Default: multicast.")
    private List<Collective> collectives = new ArrayList<>();

    @Option(
            names = {"--size", "--data-size"},
            paramLabel = "SIZE",
            defaultValue = "600MB",
            converter = DataSizeText.class,
            description = "Size of the data, or of the vector of each node: 64M (power of two), 600MB (power of ten)."
                    + " Default: ${DEFAULT-VALUE}.")
    private long dataBytes;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            converter = CountText.class,
            description = "Nodes of each cluster. Default: those of the scenario.")
    private int nodesPerCluster;

    @Mixin
    private PieceSizeOption pieceSize = new PieceSizeOption();

    @Mixin
    private RequestWindowOption requestWindow = new RequestWindowOption();

    @Mixin
    private SendLimitOptions sendLimits = new SendLimitOptions();

    @Option(
            names = "--beside",
            paramLabel = "N",
            converter = CountText.class,
            description =
                    "So many more jobs of the same kind share the network; the first is measured. Multicasts only."
                            + " Default: none.")
    private int jobsBeside;

    @Option(
            names = "--run-deadline",
            paramLabel = "TIME",
            converter = DeadlineText.class,
            description = "A run succeeds only if it ends within 90s, 5m, or 3x (times the bound). Default: any time."
                    + " Commands of --exec are stopped after a time that is given here.")
    private @Nullable Deadline runDeadline;

    /** A multiple of the bound is a limit of each run: {@code bench} had no other deadline. */
    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DeadlineText.class,
            description = "Stop after 90s, 5m, 2h ...; finished runs are reported. Default: never.")
    private @Nullable Deadline deadline;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            converter = CountText.class,
            description = "Runs at a time. Default: one per processor; one if scenarios are large or in the testbed.")
    private int jobs;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write report.html, results.json, results.csv and summary.csv to this folder, and each run"
                    + " to journal.jsonl. The same command continues with the missing runs.")
    private @Nullable Path report;

    @Option(
            names = "--restart",
            fallbackValue = "true",
            arity = "0",
            description = "Discard the runs in the folder of the report, and start over.")
    private boolean restart;

    /**
     * Refuses options that contradict one another.
     *
     * @param testbed whether real processes are to run
     */
    void check(boolean testbed) {
        if (pieceSize.bytes() > 0 && (dataBytes - 1) / pieceSize.bytes() >= PieceLayout.MAX_PIECES) {
            throw bad("--piece-size cuts the data into more than " + PieceLayout.MAX_PIECES + " pieces");
        }
        long memoryBytes = ChannelOptions.defaults().memoryBytes();
        if (testbed && pieceSize.bytes() > memoryBytes) {
            throw bad("--piece-size: the nodes of the testbed have " + memoryBytes
                    + " bytes for pieces: use smaller ones");
        }
        if (ImmutableSet.copyOf(collectives).size() < collectives.size()) {
            throw bad("--collective: name each call once");
        }
        boolean doesOtherCalls = !collectives().equals(ImmutableList.of(Collective.MULTICAST));
        if (testbed && doesOtherCalls) {
            throw bad("the testbed knows only --collective=multicast: leave out --testbed");
        }
        if (jobsBeside > 0 && doesOtherCalls) {
            throw bad("--beside is for --collective=multicast alone");
        }
        if (testbed && jobs > 1) {
            throw bad("the testbed does one run at a time: leave out --jobs");
        }
        if (deadline != null && deadline.inBounds() && runDeadline != null) {
            throw bad("--deadline: use a time, such as 5m, beside --run-deadline");
        }
    }

    /** Names of known strategies with their options. */
    ImmutableList<String> strategies() {
        List<String> texts = new ArrayList<>(strategies);
        texts.addAll(moreStrategies);
        try {
            return StrategyList.parse(texts.isEmpty() ? ImmutableList.of("robber") : texts);
        } catch (IllegalArgumentException e) {
            throw bad("--strategy: " + e.getMessage());
        }
    }

    /** The calls that are made in each scenario. */
    private ImmutableList<Collective> collectives() {
        return collectives.isEmpty() ? ImmutableList.of(Collective.MULTICAST) : ImmutableList.copyOf(collectives);
    }

    /** Whether pieces or requests are other than usual. */
    boolean choosesPieces() {
        return pieceSize.bytes() > 0 || requestWindow.requests() != NodeSetup.PUBLISHED_REQUEST_WINDOW;
    }

    int jobsBeside() {
        return jobsBeside;
    }

    boolean namesStrategies() {
        return !strategies.isEmpty() || !moreStrategies.isEmpty();
    }

    SendLimits sendLimits() {
        return sendLimits.limits();
    }

    /**
     * The experiment.
     *
     * @param scenarios files, folders and names with wildcards
     * @param strategies names of known strategies with their options
     * @param testbed null for the simulator
     * @param commandLine the command that repeats it
     */
    ExperimentRequest request(
            ImmutableList<String> scenarios,
            ImmutableList<String> strategies,
            RunSettings.Simulated simulated,
            RunSettings.@Nullable InTestbed testbed,
            String commandLine) {
        RunSettings settings = new RunSettings(
                dataBytes,
                nodesPerCluster,
                pieceSize.bytes(),
                requestWindow.requests(),
                sendLimits().bytesPerSecond(),
                sendLimits().wanBytesPerSecond(),
                jobsBeside,
                simulated,
                testbed);
        return new ExperimentRequest(
                scenarios,
                collectives(),
                strategies,
                firstSeed,
                seeds == null ? runs : seeds,
                settings,
                jobs,
                runDeadline(),
                deadline(),
                report,
                restart,
                commandLine,
                VersionText.version(),
                BuildDigest.text());
    }

    /** The time within which a run must end to succeed. */
    private Deadline runDeadline() {
        if (runDeadline != null) {
            return runDeadline;
        }
        return deadline != null && deadline.inBounds() ? deadline : Deadline.NONE;
    }

    /** The time limit of the command, or null. */
    private @Nullable Duration deadline() {
        return deadline == null || deadline.inBounds()
                ? null
                : Duration.ofNanos(Math.round(deadline.amount() * NANOS_PER_SECOND));
    }
}
