package org.robber.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.cli.filter.Selection;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.hosts.RemoteSources;
import org.robber.cli.launch.JobPlace;
import org.robber.cli.launch.LaunchedNode;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.launch.NetworkSettings;
import org.robber.cli.launch.NodeOrder;
import org.robber.cli.option.BandwidthFile;
import org.robber.cli.option.ClusterOption;
import org.robber.cli.option.ConnectionOptions;
import org.robber.cli.option.DataAddressOptions;
import org.robber.cli.option.DeadlineOption;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.FilterOptions;
import org.robber.cli.option.HostOptions;
import org.robber.cli.option.LocalOption;
import org.robber.cli.option.LocalShape;
import org.robber.cli.option.LossOptions;
import org.robber.cli.option.MetricsOption;
import org.robber.cli.option.PieceSizeOption;
import org.robber.cli.option.ReceiveOptions;
import org.robber.cli.option.ReportOption;
import org.robber.cli.option.RequestWindowOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.option.SendingOptions;
import org.robber.cli.option.StateOption;
import org.robber.cli.remote.RemoteRun;
import org.robber.cli.remote.Starter;
import org.robber.cli.replicate.PlanTerms;
import org.robber.cli.replicate.ReceivingLimits;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.cli.replicate.StreamReplication;
import org.robber.cli.serve.StartRequest;
import org.robber.cli.stream.StreamTarget;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.BandwidthMap;
import org.robber.transport.launch.LaunchEnvironment;
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
            "  --local=CxN starts all nodes on this machine, -w and --hostfile start one on each host, by ssh or by",
            "  the daemons of 'robber-cli serve'. Without them,",
            "  run the same command once per node, under mpirun, srun, or anything that sets ROBBER_RANK,",
            "  ROBBER_SIZE and ROBBER_URI.",
            "  Every long option can be set as ROBBER_<OPTION>: ROBBER_PIECE_SIZE=1M.",
            "%nExit codes:",
            "  0 all nodes complete; 1 internal error; 2 usage; 3 source; 4 too few nodes; 5 network; 6 destination;",
            "  7 integrity; 8 authentication; 23 some nodes complete; 24 source changed; 30 deadline;",
            "  130/143 interrupted: the same command resumes"
        })
class ReplicateCommand implements Callable<Integer> {

    private static final char REPLACEMENT = '\uFFFD';

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "2..*",
            hideParamSyntax = true,
            paramLabel = "SRC... DEST",
            description = {
                "SRC: file or folder to copy. With a slash at the end: the content of the folder. Only rank 0 reads it."
                        + " Several make one tree, as with rsync. With -w, HOST:PATH is on another host. A fifo, or - for standard input: a stream of any length.",
                "DEST: destination on each node, with rsync's rules for slashes. {rank}, {cluster}, {node} and"
                        + " {host} are replaced. Of a stream: a file, a fifo, or - for standard output."
            })
    private List<String> places = List.of();

    private String destination = "";

    @Mixin
    private FilterOptions filters = new FilterOptions();

    @Mixin
    private LocalOption local = new LocalOption();

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            defaultValue = "robber",
            description = "How to multicast: robber (the improved algorithm), robber:published (as published), mob,"
                    + " auto, bittorrent, balanced ... (docs/reference/strategies.md). Default: ${DEFAULT-VALUE}.")
    private String strategy = "";

    @Option(
            names = "--bandwidths",
            paramLabel = "FILE",
            description = "Scenario file with the bandwidths between clusters, for strategies that plan by them."
                    + " Default: all links are equal.")
    private @Nullable Path bandwidthFile;

    @Mixin
    private PieceSizeOption pieceSize = new PieceSizeOption();

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            defaultValue = "xxh3-128",
            description = "How pieces are verified: xxh3-128, or sha256 where nodes are not trusted. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String digest = "";

    @Mixin
    private RequestWindowOption window = new RequestWindowOption();

    @Mixin
    private ReceiveOptions intake = new ReceiveOptions();

    @Option(
            names = {"-c", "--checksum"},
            fallbackValue = "true",
            arity = "0",
            description = "Compare the bytes of files that have the size and time of an earlier copy, too.")
    private boolean checksum;

    @Option(
            names = "--fsync",
            fallbackValue = "true",
            arity = "0",
            description = "Copies are on the disk before the job says that they are complete.")
    private boolean fsync;

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
        List<String> given = places.subList(0, places.size() - 1);
        destination = places.get(places.size() - 1);
        Selection selection = filters.selection();
        if (selection.deletes() && !selection.filesFrom().isEmpty()) {
            throw bad("use --delete or --files-from, not both: a list of files does not say what else the source has");
        }
        checkSources(given, selection);
        BandwidthMap bandwidths = checkValues(given);
        ReplicateRequest request = new ReplicateRequest(
                selection.filesFrom().isEmpty() || given.get(0).endsWith("/") ? given : List.of(given.get(0) + "/"),
                selection,
                given.size() == 1 || destination.endsWith("/") ? destination : destination + "/",
                new ChannelOptions(
                        strategy,
                        pieceSize.bytes(),
                        digest,
                        intake.memoryBytes(),
                        window.requests(),
                        bandwidths,
                        losses.onLoss()),
                losses.policy(),
                deadline.fromNow(),
                display.output(),
                report.file(),
                metrics.place(),
                dryRun() ? new PlanTerms(sending.limits(), bandwidthFile()) : null,
                intake.restart(),
                checksum,
                fsync,
                state.folder(),
                List.of(),
                ReceivingLimits.none());
        StreamReplication.check(request);
        NetworkSettings network = new NetworkSettings(
                connections.connectTimeout(),
                connections.idleTimeout(),
                losses.stallTimeout(),
                sending.limits(),
                data.address(),
                connections.congestion(),
                connections.relays(),
                clusters.by());
        LocalShape shape = local.shape();
        if (shape != null) {
            NodeOrder order = order(LocalRun.newJobId(), request, network, security.encrypts(false));
            return new LocalRun(shape, order, display.console()).run();
        }
        List<ListedHost> listed = hosts.hosts();
        // Hosts of the environment are for programs that nothing else has started.
        boolean startsHosts = hosts.onCommandLine()
                || !LaunchedNode.environment(security.variables()).isPresent();
        if (!listed.isEmpty() && startsHosts) {
            return startOn(listed, request.withStateFolder(state.chosen()), network);
        }
        return LaunchedNode.run(
                request,
                network,
                clusters.in(security.variables()),
                destination.equals(StreamTarget.STANDARD) ? display.consoleBesideData() : display.console());
    }

    private int startOn(List<ListedHost> listed, ReplicateRequest original, NetworkSettings network) throws Exception {
        RemoteSources remote = remoteSources(original);
        ReplicateRequest request = remote == null ? original : original.withSources(remote.paths());
        losses.check(listed.size() + 1);
        security.checkRemote();
        clusters.checkRemote();
        JobOptions job =
                LaunchEnvironment.of(security.variablesWithoutCertificates()).startOptions(LocalRun.newJobId());
        NodeOrder order = order(job.job(), request, network, security.encrypts(true));
        ListedHost source = remote == null ? null : remote.host();
        if (source != null && hosts.startsByDaemons()) {
            throw bad("SRC is on " + source.name() + ", and daemons let nobody read there: use --launcher=ssh");
        }
        Starter starter = hosts.starter(() -> new StartRequest(BuildDigest.ofProgram(), digest), job.secret());
        JobOptions withSecret =
                job.secret().length == 0 || hosts.startsByDaemons() ? job.withSecret(LocalRun.newSecret()) : job;
        return new RemoteRun(listed, source, starter, order, withSecret, display.console()).run();
    }

    /** The sources, if they are on another host. Rank 0 is there then, and so are files that it reads or writes besides. */
    private @Nullable RemoteSources remoteSources(ReplicateRequest request) {
        try {
            Optional<RemoteSources> remote = RemoteSources.of(request.sources());
            if (remote.isPresent()
                    && (request.reportFile() != null
                            || request.metrics() != null
                            || request.selection().readsFiles())) {
                throw bad("rank 0 is on " + remote.get().host().name()
                        + ", and cannot reach files here: leave out --metrics, use -o json in place of --report, and --include and --exclude in place of"
                        + " --exclude-from and --files-from");
            }
            return remote.orElse(null);
        } catch (IllegalArgumentException e) {
            throw bad("SRC: " + e.getMessage());
        }
    }

    private NodeOrder order(String jobId, ReplicateRequest request, NetworkSettings network, boolean encrypts) {
        return new NodeOrder(
                jobId, JobPlace.alone(), request, null, bandwidthFile(), network, encrypts, display.detail());
    }

    private @Nullable BandwidthFile bandwidthFile() {
        return bandwidthFile == null ? null : BandwidthFile.read(bandwidthFile);
    }

    /** Whether nothing is copied. */
    boolean dryRun() {
        return dryRun;
    }

    private void checkSources(List<String> sources, Selection selection) {
        if (sources.size() > 1 && !selection.filesFrom().isEmpty()) {
            throw bad("--files-from lists paths of one SRC, and " + sources.size() + " are given");
        }
        for (String source : sources) {
            if (sources.size() > 1
                    && (StreamReplication.isStream(source) || destination.equals(StreamTarget.STANDARD))) {
                throw bad("a stream is the only SRC, and " + sources.size() + " are given");
            }
        }
    }

    private BandwidthMap checkValues(List<String> sources) {
        if (!digest.equals("xxh3-128") && !digest.equals("sha256")) {
            throw bad("--digest: '" + digest + "' is unknown: use xxh3-128 or sha256");
        }
        LocalShape shape = local.shape();
        losses.check(shape == null ? 0 : shape.nodes());
        if (shape != null) {
            security.checkLocal();
            clusters.checkLocal();
            if (hosts.onCommandLine()) {
                throw bad("use --local or -w, not both: --local starts all nodes on this machine");
            }
        }
        BandwidthMap bandwidths = bandwidths();
        try {
            Strategies.byName(strategy, bandwidths);
        } catch (IllegalArgumentException e) {
            throw bad("--strategy: " + e.getMessage());
        }
        if (sources.contains("") || destination.isEmpty()) {
            throw bad((sources.contains("") ? "SRC" : "DEST") + " is an empty name");
        }
        if (destination.equals(StreamTarget.STANDARD) && (shape != null || hosts.onCommandLine())) {
            throw bad(
                    "DEST - is the standard output of each node, and --local and -w have only one: give the name of a file"
                            + " or of a fifo there");
        }
        sources.forEach(source -> checkName("SRC", source));
        checkName("DEST", destination);
        checkName("--report", String.valueOf(report.file()));
        return bandwidths;
    }

    private BandwidthMap bandwidths() {
        Path file = bandwidthFile;
        try {
            return file == null
                    ? BandwidthMap.unknown()
                    : BandwidthFile.read(file).map();
        } catch (IllegalArgumentException e) {
            throw bad("--bandwidths: " + e.getMessage());
        }
    }

    /** Java replaces bytes that it cannot decode by this character, so that the name would be another. */
    private void checkName(String what, String name) {
        if (name.indexOf(REPLACEMENT) >= 0) {
            throw bad(what + " is not UTF-8: use a link to it, or its parent folder");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
