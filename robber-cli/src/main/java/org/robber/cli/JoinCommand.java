package org.robber.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.cli.join.JoinProcess;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.PlaceText;
import org.robber.cli.option.ReceiveOptions;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.RequestWindowOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.option.StateOption;
import org.robber.cli.request.JoinRequest;
import org.robber.transport.launch.LaunchEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code robber-cli join}. */
@Command(
        name = "join",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Takes part in a running 'replicate', as a node that comes late or replaces a lost one.",
        footerHeading = "%nExample:%n",
        footer = {
            "  robber-cli join --cluster=B robber://demo@10.0.0.1:24123 /scratch/",
            "%nNodes:",
            "  URI is the ROBBER_URI of the job's nodes: robber://JOB@HOST:PORT. The data come from nodes of the",
            "  same cluster. A job started by --local cannot be joined: no other process knows its secret.",
            "%nExit codes:",
            "  0 the copy is complete; 4 the job cannot be reached, or is over; 5 this node was lost, or the job",
            "  has no data to give any more; others as for replicate"
        })
final class JoinCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "URI", description = "The job: robber://JOB@HOST:PORT.")
    private String uri = "";

    @Parameters(
            index = "1",
            paramLabel = "DEST",
            converter = PlaceText.class,
            description = "Destination, as for replicate. {rank}, {cluster}, {node} and {host} are replaced.")
    private String destination = "";

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "This node's cluster. Default: the cluster of the nodes in the same subnet.")
    private @Nullable String cluster;

    @Mixin
    private RequestWindowOption window = new RequestWindowOption();

    @Mixin
    private ReceiveOptions intake = new ReceiveOptions();

    @Mixin
    private ConnectionOptions connections = new ConnectionOptions();

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
        JobOptions found = LaunchEnvironment.of(security.variables()).joinOptions(uri);
        JobOptions options = connections
                .addTo(found.withCluster(cluster == null ? found.cluster() : cluster))
                .withDataAddress(data.address());
        JoinRequest request = new JoinRequest(
                destination,
                intake.memoryBytes(),
                window.requests(),
                intake.restart(),
                state.folder(),
                display.output(),
                report.jsonFile(),
                deadline.fromNow());
        return new JoinProcess(request, display.console()).run(options);
    }
}
