package org.robber.cli.replicate;

import com.google.common.collect.ImmutableSet;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.cli.replicate.Preparation.Prepared;
import org.robber.cli.replicate.StreamReplication.Streamed;
import org.robber.cli.report.NodeResult;
import org.robber.cli.stream.StreamTarget;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.piece.PieceLayout;
import org.robber.core.strategy.Strategies;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.BufferStorage;
import org.robber.transport.storage.EntryFilter;
import org.robber.transport.storage.TreeTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in replicating a tree: all nodes do the same steps in the same order. What fails at one node, other than rank
 * 0, and is no matter of the others, ends that node or the job, as the request says.
 */
final class Replication {

    /** The phases of a job; a node can enter one more than once. */
    static final Set<String> PHASES = ImmutableSet.of("scan", "prepare", "manifest", "transfer", "verify", "commit");

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
        this.reporter = new FailureReporter(world, this::phase, request.source().root());
        this.lossTracker = new LossTracker(
                world, request.losses(), output, this::phase, request.source().root());
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
        if (world.rank() == 0 && StreamReplication.isStream(request)) {
            return sendStream();
        }
        SourceScan scan = scan();
        SourceInfo facts = scan.facts();
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
        if (scan.summary() != null) {
            report.source(scan.summary());
            if (request.source().selection().deletes() && deletable == null) {
                LOG.warn("--delete removes nothing, because not all of the source can be read");
            }
            strategy().remarks().forEach(LOG::warn);
        }

        enter("prepare");
        String destination = scan.root() != null && request.destination().isEmpty()
                ? scan.root().place()
                : DestinationPattern.resolve(request.destination(), world);
        List<DestinationInfo> places = destinations.comparePlaces(scan.root(), destination);
        PlanTerms terms = request.plan();
        if (terms != null) {
            return plan(terms, scan, places, destination, deletable);
        }
        Received received = receive(scan, destination);
        enter("commit");
        // No node shows a copy before the source is known to have been the same from the first byte to the last. Once
        // nodes do, one that is lost changes nothing for the others.
        world.control().lastBarrier(lossTracker::committing);
        return conclude(commit.show(received.target(), received.stats(), deletable));
    }

    /** Looks at the source where it is, and tells all nodes of it. */
    private SourceScan scan() {
        SourceTerms source = request.source();
        if (world.rank() == 0) {
            reporter.here(Reason.SOURCE, () -> {
                report.check();
                watch.open();
                return report;
            });
        }
        Root root = world.rank() == source.root()
                ? reporter.here(Reason.SOURCE, () -> Root.scan(source.paths(), source.selection()))
                : null;
        return SourceScan.share(
                world, reporter, root, source.root(), source.selection().deletes());
    }

    /** At rank 0, in place of the other steps. */
    private int sendStream() {
        ReadableByteChannel input = reporter.here(Reason.SOURCE, () -> {
            report.check();
            watch.open();
            return StreamReplication.open(request, standardInput);
        });
        int chunkBytes = StreamReplication.chunkBytes(request.channel().memoryBytes());
        byte[] unused =
                world.control().broadcast(SourceInfo.ofStream(chunkBytes).toBytes());
        strategy().remarks().forEach(LOG::warn);
        return stream(input, chunkBytes);
    }

    private int stream(@Nullable ReadableByteChannel input, int chunkBytes) {
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

    /** The result of the transfer at this node. */
    private record Received(@Nullable TreeTarget target, TransferStats stats) {}

    private Received receive(SourceScan scan, String destination) {
        Prepared prepared;
        try (MulticastChannel channel = world.multicastChannel(request.channel())) {
            prepared = reporter.orFail(() -> preparation(scan).run(channel, scan.facts(), destination, this::enter));
            if (layoutOf(prepared.manifest()) == prepared.layout().pieceBytes()
                    && prepared.digest().equals(request.channel().digest())) {
                return reporter.orFail(() -> transfer(channel, prepared, scan));
            }
        }
        ChannelOptions options =
                request.channel().withPieceBytes(prepared.layout().pieceBytes()).withDigest(prepared.digest());
        try (MulticastChannel channel = world.multicastChannel(options)) {
            return reporter.orFail(() -> transfer(channel, prepared, scan));
        }
    }

    private Preparation preparation(SourceScan scan) {
        return new Preparation(request, world, reporter, unfinished, destinations, scan.root());
    }

    /** The size of the pieces in which the channel of the request would send this. */
    private int layoutOf(Manifest manifest) {
        int pieceBytes = request.channel().pieceBytes();
        return pieceBytes == 0 ? world.automaticPieceBytes(manifest.totalBytes()) : pieceBytes;
    }

    private Received transfer(MulticastChannel channel, Prepared prepared, SourceScan scan) {
        Root root = scan.root();
        int source = request.source().root();
        Storage storage = storage(root, prepared.target(), prepared.layout());
        // first of all forgets how far nodes came with the manifest: from here on its bytes would count as data
        world.control().onProgress(progress -> {
            output.progress(progress);
            watch.sample();
        });
        lossTracker.transferring(storage.sizeBytes());
        enter("transfer");
        if (scan.summary() != null) {
            report.unchanged(prepared.bytesLeftOut());
            watch.transferring(storage.sizeBytes());
            output.started(storage.sizeBytes());
            JobDescription description = new JobDescription(
                    scan.facts().copyKey(),
                    world.hostName(source),
                    scan.summary().places(),
                    prepared.whole().encoded(),
                    prepared.unchanged());
            channel.letJoin(description.toBytes());
        }
        transferring = true;
        long start = System.nanoTime();
        if (prepared.resumes()) {
            channel.resume(storage, source);
        } else {
            channel.multicast(storage, source);
        }
        channel.flush();
        report.seconds((System.nanoTime() - start) / 1e9);
        TransferStats stats = channel.lastStats();
        if (root != null) {
            enter("verify");
            reporter.here(Reason.SOURCE, () -> {
                root.finishAndVerify();
                return root;
            });
        }
        return new Received(prepared.target(), stats);
    }

    /** Says what would be done, at rank 0; returns the exit code. */
    private int plan(
            PlanTerms terms,
            SourceScan scan,
            List<DestinationInfo> places,
            String destination,
            @Nullable EntryFilter deletable) {
        Manifest manifest = scan.root() == null ? null : scan.root().manifest();
        List<String> extras = List.of();
        // Where rank 0 has the source, and nothing would be removed, nobody else needs to know the manifest.
        if (request.source().root() != 0 || deletable != null) {
            try (MulticastChannel channel = world.multicastChannel(request.channel())) {
                Manifest told = reporter.orFail(() -> preparation(scan).manifest(channel, scan.facts()))
                        .manifest();
                manifest = told;
                if (deletable != null) {
                    extras = Deletion.gather(
                            world,
                            scan.isCopy()
                                    ? List.of()
                                    : reporter.here(
                                            Reason.DESTINATION,
                                            () -> Deletion.extras(Path.of(destination), told, deletable)));
                }
            }
        }
        return Plan.tell(request, terms, world, places, manifest, scan.summary(), output, extras);
    }

    private Storage storage(@Nullable Root root, @Nullable TreeTarget target, PieceLayout layout) {
        if (root != null) {
            return root.storage(target, layout);
        }
        if (target == null) {
            // Of a single file that is there already, nothing comes.
            return BufferStorage.of(ByteBuffer.allocate(0));
        }
        return request.limits().keepFreeBytes() == 0
                ? target
                : new GuardedStorage(target, target.directory(), request.limits());
    }
}
