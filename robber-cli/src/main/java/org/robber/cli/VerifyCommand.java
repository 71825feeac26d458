package org.robber.cli;

import java.util.concurrent.Callable;
import org.robber.JobOptions;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.LocalOption;
import org.robber.cli.option.LocalShape;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.option.SendingOptions;
import org.robber.cli.option.StateOption;
import org.robber.cli.progress.ConsoleOutput;
import org.robber.cli.replicate.DestinationPattern;
import org.robber.cli.replicate.VerifyProcess;
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
        description = "Reads the copies that 'replicate' made and compares them with their recorded checksums.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli verify --local=2x4 DEST",
            "  srun robber-cli verify --repair --secret-file=secret /scratch/",
            "%nNodes:",
            "  --local=CxN verifies the copies of such a job on this machine. Otherwise run the same command once",
            "  per node, as for replicate. Without a launcher it verifies the copy of this machine.",
            "  Progress counts the copies that this process reads; at rank 0 it is shown.",
            "%nExit codes:",
            "  0 all copies are right, or repaired; 3 no copy is recorded; 7 some copies are damaged; 30 deadline;",
            "  others as for replicate"
        })
final class VerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "DEST", description = "The destination, as it was given to replicate.")
    private String destination = "";

    @Option(
            names = "--repair",
            fallbackValue = "true",
            arity = "0",
            description = "Repair damaged copies from a node whose copy is right.")
    private boolean repair;

    @Mixin
    private LocalOption local = new LocalOption();

    @Mixin
    private ConnectionOptions connections = new ConnectionOptions();

    @Mixin
    private SendingOptions sending = new SendingOptions();

    @Mixin
    private DataAddressOptions data = new DataAddressOptions();

    @Mixin
    private DeadlineOption deadline = new DeadlineOption();

    @Mixin
    private SecurityOptions security = new SecurityOptions();

    @Mixin
    private StateOption state = new StateOption();

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private DisplayOptions display = new DisplayOptions();

    @Override
    public Integer call() {
        display.apply();
        if (destination.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "DEST is an empty name");
        }
        LocalShape shape = local.shape();
        if (shape != null) {
            security.checkLocal();
            return process(DestinationPattern.perNode(destination, false), display.console())
                    .runLocally(shape.clusters(), shape.nodesPerCluster(), this::withNetwork);
        }
        LaunchEnvironment launch = LaunchedNode.environment(security.variables());
        if (!launch.isPresent()) {
            return process(destination, display.console()).runLocally(1, 1, this::withNetwork);
        }
        JobOptions options = withNetwork(launch.jobOptions())
                .withDataAddress(data.address())
                .withSettings("verify" + (repair ? " --repair" : ""));
        ConsoleOutput output = options.rank() == 0 ? display.console() : display.consoleWithoutProgress();
        return process(destination, output).run(options);
    }

    private JobOptions withNetwork(JobOptions options) {
        return connections.addTo(options).withSendLimits(sending.limits());
    }

    private VerifyProcess process(String pattern, ConsoleOutput output) {
        VerifyRequest request = new VerifyRequest(
                pattern, repair, state.folder(), display.output(), report.jsonFile(), deadline.fromNow());
        return new VerifyProcess(request, output);
    }
}
