package org.robber.cli;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.JoinProcess;
import org.robber.cli.replicate.JoinRequest;
import org.robber.transport.launch.LaunchEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code robber-cli join}. */
@Command(
        name = "join",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description =
                "Takes part in a 'replicate' that runs already: a node that comes late, or in the place of a lost one.",
        footerHeading = "%nHow:%n",
        footer = {
            "  URI is what the nodes of the job have as ROBBER_URI: robber://JOB@HOST:PORT. The copy comes from nodes of the",
            "  same cluster. Jobs begun by --local can't be joined: nobody else knows their secret.",
            "%nExit codes:",
            "  0 the copy is complete; 4 the job can't be reached, or is over; 5 it has nothing to give any more, or was",
            "  lost; others as for replicate"
        })
final class JoinCommand implements Callable<Integer> {

    private static final int COLUMNS = 80;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "URI", description = "The job: robber://JOB@HOST:PORT.")
    private String uri = "";

    @Parameters(
            index = "1",
            paramLabel = "DEST",
            description = "Where to, as for replicate. {rank}, {cluster} and {node} stand for what they say.")
    private String destination = "";

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "This node's cluster. Default: that of nodes in the same subnet.")
    private @Nullable String cluster;

    @Mixin
    private EncryptionOptions encryption = new EncryptionOptions();

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long to try to reach the job. Default: 60s.")
    private Duration connectTimeout = Duration.ZERO;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationText.class,
            description = "A node that says nothing for this long is lost. Default: 30s.")
    private Duration idleTimeout = Duration.ZERO;

    @Mixin
    private IntakeOptions intake = new IntakeOptions();

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Override
    public Integer call() {
        LogSetup.show(node.verbose() ? Detail.VERBOSE : Detail.NORMAL);
        check();
        Map<String, String> variables = new HashMap<>(System.getenv());
        encryption.with(node.secretFile()).addTo(variables);
        JobOptions found = LaunchEnvironment.of(variables).joinOptions(uri);
        JobOptions options = found.withCluster(cluster == null ? found.cluster() : cluster)
                .withConnectTimeout(connectTimeout)
                .withSilenceTimeout(idleTimeout);
        StatusConsole console = StatusConsole.standardError();
        ConsoleOutput output = new ConsoleOutput(
                System.out, console, new ProgressDisplay(console, ProgressMode.NONE, COLUMNS, System::nanoTime));
        JoinRequest request = new JoinRequest(
                destination, intake.memoryBytes(), intake.requestWindow(), intake.restart(), node.stateFolder());
        return new JoinProcess(request, output).run(options);
    }

    private void check() {
        encryption.check();
        intake.check();
        if (idleTimeout.compareTo(LossOptions.SHORTEST_PATIENCE) < 0) {
            throw bad("--idle-timeout must be at least 1s");
        }
        if (destination.isEmpty()) {
            throw bad("DEST is an empty name");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
