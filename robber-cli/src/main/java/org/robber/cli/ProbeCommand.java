package org.robber.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.SendLimits;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalShape;
import org.robber.cli.launch.NetworkSettings;
import org.robber.cli.option.ClusterOption;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.DurationText;
import org.robber.cli.option.HostOptions;
import org.robber.cli.option.LocalOption;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.probe.ProbeProcess;
import org.robber.cli.request.ProbeRequest;
import org.robber.transport.launch.LaunchEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code robber-cli probe}. */
@Command(
        name = "probe",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description =
                "Measures the rates and round trips between clusters, with real data over the connections of copies.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli probe -w A:node[1-8],B:gpu[1-8] --save=network.json",
            "  srun robber-cli probe --for=5s -o json",
            "  robber-cli replicate -w A:node[1-8],B:gpu[1-8] --strategy=auto --bandwidths=network.json SRC DEST",
            "%nNodes:",
            "  --local=CxN, -w, --hostfile and launchers, as for replicate. Every node must take part.",
            "  Daemons of serve start no nodes for this: -w uses ssh.",
            "  One pair of clusters at a time is measured, each direction for about --for: C clusters take",
            "  C * (C - 1) times as long.",
            "%nExit codes:",
            "  0 all is measured; 6 a file cannot be written; 30 deadline; others as for replicate"
        })
final class ProbeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationText.class,
            description = "About how long to measure the rate from one cluster to another. Default: ${DEFAULT-VALUE}.")
    private Duration each = Duration.ZERO;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Write the network as a scenario to this file, for --bandwidths, plan and emulate.")
    private @Nullable Path scenario;

    @Mixin
    private LocalOption local = new LocalOption();

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Mixin
    private ClusterOption clusters = new ClusterOption();

    @Mixin
    private ConnectionOptions connections = new ConnectionOptions();

    @Mixin
    private DataAddressOptions data = new DataAddressOptions();

    @Mixin
    private DeadlineOption deadline = new DeadlineOption();

    @Mixin
    private SecurityOptions security = new SecurityOptions();

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private DisplayOptions display = new DisplayOptions();

    @Override
    public Integer call() throws Exception {
        display.apply();
        ProbeRequest request =
                new ProbeRequest(each, scenario, display.output(), report.jsonFile(), deadline.fromNow());
        LocalShape shape = hosts.shape(local);
        if (shape != null) {
            security.checkLocal();
            clusters.checkLocal();
            return new ProbeProcess(request, display.consoleWithoutProgress())
                    .runLocally(shape.clusters(), shape.nodesPerCluster());
        }
        NetworkSettings network = connections.settings(SendLimits.none(), data.address(), clusters.by());
        List<ListedHost> listed = hosts.toStart(security.variables());
        if (!listed.isEmpty()) {
            return startOn(listed, request, network);
        }
        LaunchEnvironment launch = LaunchedNode.environment(clusters.in(security.variables()));
        if (!launch.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "no nodes: use --local=2x4, name hosts by -w, or use a launcher");
        }
        JobOptions options = network.of(launch.jobOptions()).withSettings(request.settings());
        return new ProbeProcess(request, display.consoleWithoutProgress()).run(options);
    }

    private int startOn(List<ListedHost> listed, ProbeRequest probe, NetworkSettings network) throws Exception {
        report.checkNotOpen();
        return new HostJob(security, clusters, network, display.detail())
                .run(listed, hosts.sshStarter(), probe, display.consoleWithoutProgress());
    }
}
