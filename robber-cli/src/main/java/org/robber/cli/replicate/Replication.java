package org.robber.cli.replicate;

import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.plan.Deletion;
import org.robber.cli.plan.JobPlan;
import org.robber.cli.plan.Obstacle;
import org.robber.cli.replicate.Preparation.Prepared;
import org.robber.cli.replicate.Preparation.WholeManifest;
import org.robber.cli.replicate.Reception.Received;
import org.robber.cli.replicate.StreamReplication.Streamed;
import org.robber.cli.report.NodeResult;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.source.Root;
import org.robber.cli.source.SourceInfo;
import org.robber.cli.source.SourceScan;
import org.robber.cli.source.SourceSummary;
import org.robber.cli.stream.Opener;
import org.robber.cli.stream.StreamTarget;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.EntryFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in replicating a tree: all nodes do the same steps in the same order. A failure at a node other than rank 0 that
 * does not concern the others ends that node or the job, as the request says.
 */
final class Replication implements Reception.Watch {

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    private final ReplicateRequest request;
    private final Supplier<ReadableByteChannel> standardInput;
    private final Communicator world;
    private final NodeOutput output;
    private final UnfinishedCopy unfinished;
    private final FailureReporter reporter;
    private final LossTracker lossTracker;
    private final JobWatch watch;
    private final RootReport report;
    private final CollectiveDestinationCheck destinations;
    private final Commit commit;

    private volatile String phase = "scan";
    private volatile boolean transferring;
    /** How this node's own copy was put in place, once it was tried. */
    private @Nullable NodeResult committed;

    /** @param standardInput read at rank 0, if that is the source */
    Replication(
            ReplicateRequest request,
            Supplier<ReadableByteChannel> standardInput,
            Communicator world,
            NodeOutput output,
            UnfinishedCopy unfinished) {
        this.request = request;
        this.standardInput = standardInput;
        this.world = world;
        this.output = output;
        this.unfinished = unfinished;
        this.reporter = new FailureReporter(world, this::phase, request.source()::isRoot);
        this.lossTracker = new LossTracker(world, request.losses(), output, this::phase, request.source());
        this.watch = new JobWatch(request, world, this::phase, lossTracker::verifiedBytes);
        this.report = new RootReport(request, world, output, watch);
        this.destinations = new CollectiveDestinationCheck(request, world, reporter);
        this.commit = new Commit(request, world, lossTracker, report, reporter);
    }

    /** The phase that the node is in. */
    String phase() {
        return phase;
    }

    /** At rank 0: those that have everything may keep it, the job ends for the others. */
    void deadlinePassed(Duration length) {
        lossTracker.deadlinePassed(length);
    }

    /** At rank 0, some time later: the job ends without those that it still waits for. */
    void overdue(Duration length) {
        lossTracker.overdue(length);
    }

    private void enter(String next) {
        LOG.debug("{} has ended, {} begins", phase, next);
        phase = next;
    }

    /**
     * Takes part.
     *
     * @return the exit code, the same on every node
     * @throws RobberException if the job failed; rank 0 has printed its report then
     */
    int run() {
        try (watch) {
            return runWatched();
        }
    }

    private int runWatched() {
        try {
            return reporter.orFail(this::steps);
        } catch (RobberException e) {
            if (transferring) {
                unfinished.failed(e);
            }
            NodeResult mine = committed;
            boolean complete = mine != null && mine.complete();
            throw report.failed(complete && e.reason() == Reason.NETWORK ? partial(e) : e, lossTracker);
        }
    }

    /** Rank 0 is lost after the copies were put in place: nothing is taken back. */
    private RobberException partial(RobberException loss) {
        return new RobberException(
                Reason.PARTIAL,
                loss.ranks(),
                loss.phase(),
                FailureText.of(loss) + "; the copy of " + FailureText.node(world, world.rank()) + " is complete",
                loss);
    }

    private int steps() {
        if (!request.dryRun()) {
            lossTracker.watch();
        }
        boolean isStream = !request.source().isStriped() && StreamReplication.isStream(request);
        if (world.rank() == 0 && isStream) {
            return sendStream();
        }
        List<SourceScan> parts = scan();
        SourceInfo facts = parts.get(0).facts();
        if (facts.isStream()) {
            return stream(null, facts.streamChunkBytes());
        }
        if (request.destination().equals(StreamTarget.STANDARD)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "scan",
                    "DEST is - here, and something else at rank 0: give all nodes the same DEST for a stream");
        }
        EntryFilter deletable = Deletion.filter(request, facts);
        if (world.rank() == 0) {
            report.source(SourceScan.summary(parts));
            if (request.source().selection().deletes() && deletable == null) {
                LOG.warn("--delete removes nothing, because not all of the source can be read");
            }
            strategy().remarks().forEach(LOG::warn);
        }

        enter("prepare");
        Root own = parts.stream()
                .map(SourceScan::root)
                .filter(Objects::nonNull)
                .findAny()
                .orElse(null);
        String destination = own != null && request.destination().isEmpty()
                ? own.place()
                : DestinationPattern.resolve(request.destination(), world);
        List<DestinationInfo> places = destinations.comparePlaces(own, destination);
        if (request.dryRun()) {
            return plan(parts, places, destination, deletable);
        }
        Received received = reception().run(parts, destination, this);
        enter("commit");
        // No node shows a copy before the source is known to have been the same from the first byte to the last. Once
        // nodes do, one that is lost changes nothing for the others.
        world.control().lastBarrier(lossTracker::committing);
        return conclude(commit.show(received, destination, deletable));
    }

    /** Looks at the source, or the parts of it, where they are, and tells all nodes of them. */
    private List<SourceScan> scan() {
        SourceTerms source = request.source();
        if (world.rank() == 0) {
            reporter.doHere(Reason.SOURCE, () -> {
                report.prepare();
                watch.open();
                if (source.isStriped()) {
                    world.control().refuseJoiners("it has several --root");
                }
            });
        }
        String part = source.isStriped() ? "rank " + world.rank() + "\n" : "";
        Root own = source.isRoot(world.rank())
                ? reporter.here(Reason.SOURCE, () -> Root.scan(source.pathsAt(world), source.selection(), part))
                : null;
        List<SourceScan> parts = new ArrayList<>();
        for (int rank : source.roots()) {
            Root root = rank == world.rank() ? own : null;
            parts.add(SourceScan.share(
                    world, reporter, root, rank, source.selection().deletes()));
        }
        return parts;
    }

    /** At rank 0, in place of the other steps. */
    private int sendStream() {
        Opener<ReadableByteChannel> input = reporter.here(Reason.SOURCE, () -> {
            report.prepare();
            watch.open();
            world.control().refuseJoiners("it copies a stream");
            return StreamReplication.source(request, standardInput);
        });
        int chunkBytes = StreamReplication.chunkBytes(request.channel().memoryBytes());
        SourceScan.shareStream(world, chunkBytes);
        strategy().remarks().forEach(LOG::warn);
        return stream(input, chunkBytes);
    }

    private int stream(@Nullable Opener<ReadableByteChannel> input, int chunkBytes) {
        String destination = DestinationPattern.resolve(request.destination(), world);
        destinations.checkPlace(destination);
        Streamed streamed = new StreamReplication(request, world, output, watch, unfinished, reporter)
                .run(input, chunkBytes, destination, this::enter);
        report.stream(streamed.stats());
        enter("commit");
        world.control().lastBarrier(lossTracker::committing);
        return conclude(StreamReplication.commit(streamed, request.copying().fsync()));
    }

    private int conclude(NodeResult mine) {
        committed = mine;
        report.committed(mine);
        int exitCode = reporter.orFail(() -> commit.conclude(mine));
        report.print();
        return exitCode;
    }

    private MulticastStrategy strategy() {
        return Strategies.byName(request.channel().strategy(), request.channel().bandwidths());
    }

    private Reception reception() {
        return new Reception(request, world, reporter, unfinished, destinations, this::enter);
    }

    @Override
    public void begins(MulticastChannel channel, List<Prepared> parts, long bytes) {
        // first of all forgets how far nodes came with the manifest: from here on its bytes would count as data
        world.control().onProgress(progress -> {
            output.progress(progress);
            watch.sample();
        });
        long unchanged = parts.stream().mapToLong(Prepared::bytesLeftOut).sum();
        lossTracker.transferring(bytes, unchanged);
        enter("transfer");
        if (world.rank() == 0) {
            report.unchanged(unchanged);
            watch.transferring(bytes + unchanged);
            output.started(bytes);
        }
        Prepared first = parts.get(0);
        SourceSummary summary = first.scan().summary();
        if (summary != null && parts.size() == 1) {
            JobDescription description = new JobDescription(
                    first.scan().facts().copyKey(),
                    world.hostName(first.scan().source()),
                    summary.places(),
                    first.whole().encoded(),
                    first.unchanged(),
                    request.copying().fsync());
            channel.letJoin(description.toBytes());
        }
        transferring = true;
    }

    @Override
    public void ends(long nanos) {
        report.seconds(nanos / 1e9);
    }

    /** Says what would be done, at rank 0; returns the exit code. */
    private int plan(
            List<SourceScan> parts, List<DestinationInfo> places, String destination, @Nullable EntryFilter deletable) {
        List<Manifest> manifests;
        try (MulticastChannel channel = world.multicastChannel(request.channel())) {
            manifests = reporter.orFail(() -> reception().manifests(channel, parts)).stream()
                    .map(WholeManifest::manifest)
                    .toList();
        }
        boolean writes = parts.stream().noneMatch(SourceScan::isCopy);
        String obstacle = writes ? Obstacle.find(destination, manifests, request.limits()) : "";
        long inPlace = writes && obstacle.isEmpty()
                ? reporter.here(
                        Reason.DESTINATION, () -> Obstacle.bytesInPlace(destination, manifests, request.copying()))
                : 0;
        List<String> extras = deletable == null || !writes
                ? List.of()
                : reporter.here(
                        Reason.DESTINATION, () -> Deletion.extras(Path.of(destination), manifests.get(0), deletable));
        SourceSummary summary = world.rank() == 0 ? SourceScan.summary(parts) : null;
        return JobPlan.tell(request, world, places, summary, output, obstacle, inPlace, extras);
    }
}
