package org.robber.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.NodeOutput;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.BandwidthMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code robber-cli replicate}. */
@Command(
        name = "replicate",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Brings a file or a tree of files to every node, verified.",
        footerHeading = "%nNodes:%n",
        footer = {
            "  With --local=CxN, this command starts them on this machine. Without it, run the same command once",
            "  per node under mpirun, srun, or anything that sets ROBBER_RANK, ROBBER_SIZE and ROBBER_URI.",
            "  Every long option can be set as ROBBER_<OPTION>: ROBBER_PIECE_SIZE=1M.",
            "%nExit codes:",
            "  0 all complete; 1 internal error; 2 usage; 3 source; 4 too few nodes; 5 network; 6 destination;",
            "  7 integrity; 8 secret; 23 partly; 24 source changed; 30 deadline; 130/143 interrupted"
        })
final class ReplicateCommand implements Callable<Integer> {

    private static final int LARGEST_PIECE_BYTES = 1 << 30;
    private static final int DEFAULT_COLUMNS = 80;
    private static final char REPLACEMENT = '\uFFFD';

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "SRC",
            description = "What to copy. With a slash at the end: what is in it. Only the node of rank 0 needs it.")
    private String source = "";

    @Parameters(
            index = "1",
            paramLabel = "DEST",
            description =
                    "Where to, on each node, as rsync means it. {rank}, {cluster} and {node} stand for what they say.")
    private String destination = "";

    @Option(names = "--strategy", paramLabel = "NAME", defaultValue = "robber", description = "Default: robber.")
    private String strategy = "";

    @Option(
            names = "--bandwidths",
            paramLabel = "FILE",
            description = "Links between clusters as a scenario file has them, for strategies that plan by them.")
    private @Nullable Path bandwidthFile;

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "64K, 1M ... Default: by the size of the data.")
    private @Nullable Long pieceBytes;

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            defaultValue = "xxh3-128",
            description = "xxh3-128 (default), or sha256 where nodes are not trusted.")
    private String digest = "";

    @Mixin
    private IntakeOptions intake = new IntakeOptions();

    @Mixin
    private SendLimitOptions sending = new SendLimitOptions();

    @Mixin
    private LossOptions losses = new LossOptions();

    @Mixin
    private EncryptionOptions encryption = new EncryptionOptions();

    @Mixin
    private CopyOptions copies = new CopyOptions();

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Option(
            names = {"-q", "--quiet"},
            fallbackValue = "true",
            arity = "0",
            description = "Say nothing but errors and the result.")
    private boolean quiet;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the result to this file, as JSON.")
    private @Nullable Path report;

    @Option(
            names = "--progress",
            paramLabel = "HOW",
            defaultValue = "auto",
            description = "auto (default), bar, plain, json or none.")
    private ProgressMode progress = ProgressMode.AUTO;

    @Option(
            names = {"-n", "--dry-run"},
            fallbackValue = "true",
            arity = "0",
            description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--launched", hidden = true, description = "This is a node of this job that --local has started.")
    private @Nullable String launchedAsJob;

    @Override
    public Integer call() throws Exception {
        LogSetup.show(node.verbose() ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL);
        BandwidthMap bandwidths = checkValues();
        ReplicateRequest request = new ReplicateRequest(
                source,
                destination,
                new ChannelOptions(
                        strategy,
                        pieceBytes == null ? 0 : (int) (long) pieceBytes,
                        digest,
                        intake.memoryBytes(),
                        intake.requestWindow(),
                        bandwidths,
                        losses.onLoss()),
                losses.policy(),
                losses.deadline(),
                copies.output(),
                report,
                dryRun,
                intake.restart(),
                node.stateFolder());
        LocalShape shape = copies.local();
        if (launchedAsJob != null) {
            return NodeStart.launched(
                    launchedAsJob, request, losses.timeouts(), sending.limits(), security(), System.getenv());
        }
        if (shape != null) {
            EnvironmentDefaults environment = (EnvironmentDefaults) spec.defaultValueProvider();
            return new LocalRun(spec, environment, shape, request, console()).run();
        }
        return NodeStart.fromEnvironment(
                request, losses.timeouts(), sending.limits(), security(), System.getenv(), console());
    }

    private SecurityFiles security() {
        return encryption.with(node.secretFile());
    }

    private BandwidthMap checkValues() {
        if (node.verbose() && quiet) {
            throw bad("-v and -q exclude one another");
        }
        if (dryRun && copies.output() == OutputFormat.JSON) {
            throw bad("-n prints text only: leave out -o json");
        }
        if (pieceBytes != null && (pieceBytes < 1 || pieceBytes > LARGEST_PIECE_BYTES)) {
            throw bad("--piece-size must be 1 to 1G");
        }
        intake.check();
        if (!digest.equals("xxh3-128") && !digest.equals("sha256")) {
            throw bad("--digest: '" + digest + "' is unknown: use xxh3-128 or sha256");
        }
        LocalShape local = copies.local();
        losses.check(local == null ? 0 : local.nodes());
        encryption.check();
        copies.check();
        BandwidthMap bandwidths = bandwidths();
        try {
            Strategies.byName(strategy, bandwidths);
        } catch (IllegalArgumentException e) {
            throw bad("--strategy: " + e.getMessage());
        }
        if (source.isEmpty() || destination.isEmpty()) {
            throw bad((source.isEmpty() ? "SRC" : "DEST") + " is an empty name");
        }
        checkName("SRC", source);
        checkName("DEST", destination);
        checkName("--report", String.valueOf(report));
        return bandwidths;
    }

    private BandwidthMap bandwidths() {
        Path file = bandwidthFile;
        try {
            return file == null ? BandwidthMap.unknown() : BandwidthFile.read(file);
        } catch (IllegalArgumentException e) {
            throw bad("--bandwidths: " + e.getMessage());
        }
    }

    /** Java puts this character in the place of bytes that it can't read: the name would be another. */
    private void checkName(String what, String name) {
        if (name.indexOf(REPLACEMENT) >= 0) {
            throw bad(what + " has bytes that are no UTF-8: use a link to it, or its parent folder");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** What people see of the job in this process. */
    private NodeOutput console() {
        String columns = System.getProperty("robber.cli.columns");
        ProgressMode mode = progress;
        if (mode == ProgressMode.AUTO) {
            mode = quiet ? ProgressMode.NONE : columns != null ? ProgressMode.BAR : ProgressMode.PLAIN;
        }
        ProgressDisplay display = new ProgressDisplay(
                StatusConsole.standardError(),
                mode,
                columns == null ? DEFAULT_COLUMNS : Integer.parseInt(columns),
                System::nanoTime);
        return new ConsoleOutput(System.out, StatusConsole.standardError(), display);
    }
}
