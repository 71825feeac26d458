package org.robber.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.DestinationPattern;
import org.robber.cli.replicate.NodeOutput;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import org.robber.cli.replicate.Verification;
import org.robber.cli.replicate.VerifyRequest;
import org.robber.transport.launch.LaunchEnvironment;
import org.robber.transport.storage.CopyRecords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code robber-cli verify}. */
@Command(
        name = "verify",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Reads copies that 'replicate' has made, and compares them with what they were.",
        footerHeading = "%nNodes:%n",
        footer = {
            "  With --local=CxN, the copies of such a job on this machine. Else run the same command once per node,",
            "  as for replicate; on its own it looks at this machine.",
            "%nExit codes:",
            "  0 all are right, or are now; 3 nothing is known of them; 7 some are damaged; others as for replicate"
        })
final class VerifyCommand implements Callable<Integer> {

    private static final int COLUMNS = 80;

    @Parameters(index = "0", paramLabel = "DEST", description = "Where the copies are, as it was given to replicate.")
    private String destination = "";

    @Option(
            names = "--local",
            paramLabel = "CxN",
            converter = LocalShape.Converter.class,
            description = "The nodes are folders in DEST, as replicate --local=CxN made them.")
    private @Nullable LocalShape local;

    @Option(
            names = "--repair",
            fallbackValue = "true",
            arity = "0",
            description = "Give damaged copies what they lack, from a node whose copy is right.")
    private boolean repair;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Where replicate has kept what copies consist of. Default: ~/.local/state/robber.")
    private @Nullable Path stateFolder;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long to wait for all nodes. Default: 60s.")
    private Duration connectTimeout = Duration.ZERO;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "What all nodes of the job know, and nobody else.")
    private @Nullable Path secretFile;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print what was found as text (default) or json.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Say more.")
    private boolean verbose;

    @Override
    public Integer call() {
        LogSetup.show(verbose ? Detail.VERBOSE : Detail.NORMAL);
        LocalShape shape = local;
        if (shape != null) {
            String pattern = DestinationPattern.isPattern(destination)
                    ? destination
                    : (destination.endsWith("/") ? destination : destination + "/") + "{node}/";
            return inThisProcess(request(pattern), shape.clusters(), shape.nodesPerCluster());
        }
        Map<String, String> variables = new HashMap<>(System.getenv());
        Path secret = secretFile;
        if (secret != null) {
            variables.put("ROBBER_SECRET_FILE", secret.toString());
            variables.remove("ROBBER_SECRET");
        }
        // given by an option, which has looked at the variable already
        variables.remove("ROBBER_CONNECT_TIMEOUT");
        LaunchEnvironment launch = LaunchEnvironment.of(variables);
        if (!launch.isPresent()) {
            return inThisProcess(request(destination), 1, 1);
        }
        VerifyRequest request = request(destination);
        JobOptions options = launch.jobOptions()
                .withConnectTimeout(connectTimeout)
                .withSettings("verify" + (repair ? " --repair" : ""));
        try (Robber robber = Robber.join(options)) {
            return new Verification(request, robber.world(), output()).run();
        }
    }

    private VerifyRequest request(String pattern) {
        return new VerifyRequest(pattern, repair, stateFolder(stateFolder), output);
    }

    /** The folder that was chosen, or the usual one. */
    static Path stateFolder(@Nullable Path chosen) {
        return chosen == null
                ? CopyRecords.defaultFolder(System.getenv(), System.getProperty("user.home"))
                : chosen.toAbsolutePath();
    }

    /** Reading is what takes the time: no processes are needed for that. */
    private static int inThisProcess(VerifyRequest request, int clusters, int nodesPerCluster) {
        AtomicInteger exitCode = new AtomicInteger();
        try (LocalJob job = Robber.local(clusters, nodesPerCluster)) {
            job.run(world -> {
                int code = new Verification(request, world, output()).run();
                if (world.rank() == 0) {
                    exitCode.set(code);
                }
            });
        }
        return exitCode.get();
    }

    private static NodeOutput output() {
        StatusConsole console = StatusConsole.standardError();
        return new ConsoleOutput(
                System.out, console, new ProgressDisplay(console, ProgressMode.NONE, COLUMNS, System::nanoTime));
    }
}
