package org.robber.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.robber.JobOptions;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalShape;
import org.robber.cli.launch.NetworkSettings;
import org.robber.cli.option.ClusterOption;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.HostOptions;
import org.robber.cli.option.LocalOption;
import org.robber.cli.option.PlaceText;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.option.SendingOptions;
import org.robber.cli.option.StateOption;
import org.robber.cli.request.VerifyRequest;
import org.robber.cli.verify.VerifyProcess;
import org.robber.transport.launch.LaunchEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
            "  robber-cli verify -w A:node[01-16],B:gpu[001-064] /scratch/",
            "  srun robber-cli verify --repair --secret-file=secret /scratch/",
            "%nNodes:",
            "  --local=CxN, -w, --hostfile and launchers, as for replicate. Without any of them it verifies the",
            "  copy of this machine. Every node must take part. Daemons of serve start no nodes for this: -w",
            "  uses ssh, and has no --repair, as 'replicate -w --checksum' repairs copies. Progress is that of",
            "  all nodes that this process starts, or its own; under a launcher rank 0 shows it.",
            "%nExit codes:",
            "  0 all copies are right, or repaired; 3 no copy is recorded; 7 some copies are damaged;",
            "  30 deadline; others as for replicate"
        })
final class VerifyCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(VerifyCommand.class);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "DEST",
            converter = PlaceText.class,
            description = "The destination, as it was given to replicate.")
    private String destination = "";

    @Option(
            names = "--repair",
            fallbackValue = "true",
            arity = "0",
            description = "Repair damaged copies from a node whose copy is right. Data are sent only then: --bwlimit,"
                    + " --wan-bwlimit and --nice have no effect without it.")
    private boolean repair;

    @Mixin
    private LocalOption local = new LocalOption();

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Mixin
    private ClusterOption clusters = new ClusterOption();

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
    public Integer call() throws InterruptedException {
        display.apply();
        NetworkSettings network = connections.settings(sending.limits(), data.address(), clusters.by());
        LocalShape shape = hosts.shape(local);
        if (shape != null) {
            security.checkLocal();
            clusters.checkLocal();
            return locally(DestinationPattern.perNode(destination, false))
                    .runLocally(shape.clusters(), shape.nodesPerCluster(), network::of);
        }
        List<ListedHost> listed = hosts.toStart(security.variables());
        if (!listed.isEmpty()) {
            return startOn(listed, network);
        }
        LaunchEnvironment launch = LaunchedNode.environment(clusters.in(security.variables()));
        if (!launch.isPresent()) {
            return locally(destination).runLocally(1, 1, network::of);
        }
        VerifyRequest request = request(destination).withStateFolder(state.folder());
        JobOptions options = network.of(launch.jobOptions()).withSettings(request.settings());
        if (options.rank() > 0) {
            return new VerifyProcess(request, display.consoleWithoutProgress()).run(options);
        }
        warnOfLimits();
        return new VerifyProcess(request, display.console()).run(options);
    }

    private void warnOfLimits() {
        if (repair) {
            return;
        }
        for (String name : SendingOptions.NAMES) {
            if (spec.commandLine().getParseResult().hasMatchedOption(name)) {
                LOG.warn("{} has no effect without --repair: verify reads copies, and sends no data", name);
            }
        }
    }

    private int startOn(List<ListedHost> listed, NetworkSettings network) throws InterruptedException {
        if (repair) {
            throw bad(
                    "-w has no --repair: 'replicate -w' with --checksum compares copies with the source, and repairs them");
        }
        report.checkNotOpen();
        warnOfLimits();
        return new HostJob(security, clusters, network, display.detail())
                .run(listed, hosts.sshStarter(), request(destination), display.console());
    }

    private VerifyProcess locally(String pattern) {
        warnOfLimits();
        return new VerifyProcess(request(pattern).withStateFolder(state.folder()), display.console());
    }

    private VerifyRequest request(String pattern) {
        return new VerifyRequest(
                pattern,
                /* hasCopy= */ true,
                repair,
                state.chosen(),
                display.output(),
                report.jsonFile(),
                deadline.fromNow());
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
