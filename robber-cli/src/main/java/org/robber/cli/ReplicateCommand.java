package org.robber.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.launch.JobPlace;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.launch.LocalShape;
import org.robber.cli.launch.NetworkSettings;
import org.robber.cli.launch.NodeOrder;
import org.robber.cli.option.ClusterOption;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.CopyOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.FilterOptions;
import org.robber.cli.option.HostOptions;
import org.robber.cli.option.LocalOption;
import org.robber.cli.option.LossOptions;
import org.robber.cli.option.MetricsOption;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.RootOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.option.SendingOptions;
import org.robber.cli.option.StateOption;
import org.robber.cli.option.TransferOptions;
import org.robber.cli.remote.Starter;
import org.robber.cli.replicate.StreamReplication;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.ReportTerms;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.serve.StartRequest;
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
        description = "Copies a file or a tree of files to every node, and verifies every byte.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli replicate --local=2x4 SRC DEST",
            "  robber-cli replicate -w A:node[01-16],B:gpu[001-064] /data/model /scratch/",
            "  mpirun -np 16 robber-cli replicate --secret-file=secret /data/model '/scratch/{node}'",
            "%nNodes:",
            "  --local=CxN starts all nodes on this machine, -w and --hostfile start one on each host, by ssh or",
            "  by the daemons of 'robber-cli serve'. Without them, run the same command once per node, under",
            "  mpirun, srun, or anything that sets ROBBER_RANK, ROBBER_SIZE and ROBBER_URI.",
            "  Every long option can be set as ROBBER_<OPTION>: ROBBER_PIECE_SIZE=1M.",
            "%nExit codes:",
            "  0 all nodes complete; 1 internal error; 2 usage; 3 source; 4 too few nodes; 5 network;",
            "  6 destination; 7 integrity; 8 authentication; 23 some nodes complete; 24 source changed;",
            "  30 deadline; 130/143 interrupted: the same command resumes"
        })
class ReplicateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "2..*",
            hideParamSyntax = true,
            paramLabel = "SRC... DEST",
            description = {
                "SRC: file or folder to copy. With a slash at the end: the content of the folder. Only the node of --root reads it."
                        + " Several make one tree, as with rsync. With -w, HOST:PATH is on another host. A fifo, or - for standard input: a stream of any length.",
                "DEST: destination on each node, with rsync's rules for slashes. {rank}, {cluster}, {node} and"
                        + " {host} are replaced. Of a stream: a file, a fifo, or - for standard output."
            })
    private List<String> places = List.of();

    @Mixin
    private RootOption root = new RootOption();

    @Mixin
    private FilterOptions filters = new FilterOptions();

    @Mixin
    private LocalOption local = new LocalOption();

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Mixin
    private TransferOptions transfer = new TransferOptions();

    @Mixin
    private CopyOptions copying = new CopyOptions();

    @Mixin
    private SendingOptions sending = new SendingOptions();

    @Mixin
    private LossOptions losses = new LossOptions();

    @Mixin
    private ConnectionOptions connections = new ConnectionOptions();

    @Mixin
    private DataAddressOptions data = new DataAddressOptions();

    @Mixin
    private ClusterOption clusters = new ClusterOption();

    @Mixin
    private DeadlineOption deadline = new DeadlineOption();

    @Mixin
    private SecurityOptions security = new SecurityOptions();

    @Mixin
    private StateOption state = new StateOption();

    @Option(
            names = {"-n", "--dry-run"},
            fallbackValue = "true",
            arity = "0",
            description = "Print the plan of the job, and do nothing.")
    private boolean dryRun;

    @Mixin
    private ReportOption report = new ReportOption();

    @Mixin
    private MetricsOption metrics = new MetricsOption();

    @Mixin
    private DisplayOptions display = new DisplayOptions();

    @Override
    public Integer call() throws Exception {
        display.apply();
        try {
            return run(CopyArguments.of(places));
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    private int run(CopyArguments arguments) throws InterruptedException {
        LocalShape shape = hosts.shape(local);
        checkNodes(arguments, shape);
        ReplicateRequest request = request(arguments);
        StreamReplication.check(request);
        request.checkStrategy();
        NetworkSettings network =
                connections.settings(losses.stallTimeout(), sending.limits(), data.address(), clusters.by());
        if (shape != null) {
            request.report().checkApart(request.source().paths());
            checkOutputs(/* isLocal= */ true);
            NodeOrder order = new NodeOrder(
                    LocalRun.newJobId(),
                    JobPlace.alone(),
                    request,
                    transfer.bandwidths(),
                    network,
                    security.encrypts(/* auto= */ false),
                    display.detail());
            return new LocalRun(shape, request, order, display.console()).run();
        }
        List<ListedHost> listed = hosts.toStart(security.variables());
        if (!listed.isEmpty()) {
            arguments.checkSharedOutput();
            checkOutputs(/* isLocal= */ false);
            return startOn(listed, request.withStateFolder(state.chosen()), network);
        }
        return LaunchedNode.run(
                request,
                network,
                clusters.in(security.variables()),
                arguments.destinationIsStandardOutput() ? display.consoleBesideData() : display.console());
    }

    /** Refuses options that contradict what starts the nodes. */
    private void checkNodes(CopyArguments arguments, @Nullable LocalShape shape) {
        losses.check(shape == null ? 0 : shape.nodes());
        if (shape != null) {
            new SourceTerms(arguments.sources(), filters.selection(), root.ranks()).check(shape.nodes());
            security.checkLocal();
            clusters.checkLocal();
        }
        arguments.check(filters.selection(), root.ranks().size());
        if (shape != null) {
            arguments.checkSharedOutput();
        }
    }

    /** A plan of nodes of this machine is made in this process, and has no metrics. */
    private void checkOutputs(boolean isLocal) {
        if (!dryRun()) {
            metrics.checkNotOpen();
        }
        if (!dryRun() || !isLocal) {
            report.checkNotOpen();
        }
    }

    private ReplicateRequest request(CopyArguments arguments) {
        return new ReplicateRequest(
                arguments.source(filters.selection(), root.ranks()),
                arguments.tree(root.ranks().size()),
                transfer.channel(copying.memoryBytes(), losses.onLoss()),
                losses.policy(),
                deadline.fromNow(),
                new ReportTerms(
                        display.output(), dryRun() ? report.jsonFile() : report.file(), metrics.place(), List.of()),
                dryRun() ? new PlanTerms(sending.limits(), transfer.bandwidths()) : null,
                copying.rules(state.folder()),
                ReceivingLimits.none());
    }

    private int startOn(List<ListedHost> listed, ReplicateRequest original, NetworkSettings network)
            throws InterruptedException {
        RemoteSources remote = CopyArguments.remote(original.source(), original.report(), listed)
                .orElse(null);
        ListedHost source = remote == null ? null : remote.host();
        losses.check(listed.size() + (original.source().isStriped() ? 0 : 1));
        HostJob job = new HostJob(security, clusters, network, display.detail());
        if (source != null && hosts.startsByDaemons()) {
            throw bad("SRC is on " + source.name() + ", and daemons let nobody read there: use --launcher=ssh");
        }
        Starter starter =
                hosts.starter(listed, () -> new StartRequest(BuildDigest.ofProgram(), transfer.digest()), job.secret());
        SourceTerms terms = original.source();
        ReplicateRequest request = remote == null ? original : original.withSource(terms.atLowestRanks(remote.paths()));
        return job.run(
                terms.isStriped() ? CopyArguments.afterFirstRoot(terms, listed) : listed,
                source,
                starter,
                request,
                transfer.bandwidths(),
                /* keepsSecret= */ !hosts.startsByDaemons(),
                display.console());
    }

    /** Whether nothing is copied. */
    boolean dryRun() {
        return dryRun;
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
