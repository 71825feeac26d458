package org.robber.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.robber.JobOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.SendLimits;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.DestinationPattern;
import org.robber.cli.replicate.NodeOutput;
import org.robber.cli.replicate.Verification;
import org.robber.cli.replicate.VerifyRequest;
import org.robber.transport.launch.LaunchEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code robber-cli verify}. */
@Command(
        name = "verify",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Reads copies that 'replicate' has made, and compares them with what they were.",
        footerHeading = "%nNodes:%n",
        footer = {
            "  With --local=CxN, the copies of such a job on this machine. Else run the same command once",
            "  per node, as for replicate; on its own it looks at this machine.",
            "%nExit codes:",
            "  0 all are right, or are now; 3 nothing is known of them; 7 some are damaged;",
            "  others as for replicate"
        })
final class VerifyCommand implements Callable<Integer> {

    private static final int COLUMNS = 80;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "DEST", description = "Where the copies are, as it was given to replicate.")
    private String destination = "";

    @Option(
            names = "--repair",
            fallbackValue = "true",
            arity = "0",
            description = "Give damaged copies what they lack, from a node whose copy is right.")
    private boolean repair;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long to wait for all nodes. Default: 60s.")
    private Duration connectTimeout = Duration.ZERO;

    @Mixin
    private SendLimitOptions sending = new SendLimitOptions();

    @Mixin
    private CopyOptions copies = new CopyOptions();

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Override
    public Integer call() {
        LogSetup.show(node.verbose() ? Detail.VERBOSE : Detail.NORMAL);
        copies.check();
        LocalShape shape = copies.local();
        if (shape != null) {
            if (!sending.limits().equals(SendLimits.none())) {
                throw new ParameterException(
                        spec.commandLine(), "--bwlimit and --wan-bwlimit limit networks: leave them out with --local");
            }
            String pattern = DestinationPattern.isPattern(destination)
                    ? destination
                    : (destination.endsWith("/") ? destination : destination + "/") + "{node}/";
            return inThisProcess(request(pattern), shape.clusters(), shape.nodesPerCluster());
        }
        Map<String, String> variables = new HashMap<>(System.getenv());
        Path secret = node.secretFile();
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
                .withSendLimits(sending.limits())
                .withSettings("verify" + (repair ? " --repair" : ""));
        try (Robber robber = Robber.join(options)) {
            return new Verification(request, robber.world(), output()).run();
        }
    }

    private VerifyRequest request(String pattern) {
        return new VerifyRequest(pattern, repair, node.stateFolder(), copies.output());
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
