package org.robber.cli.replicate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.Communicator.JobProgress;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.cli.progress.ByteText;
import org.robber.cli.report.NodeResult;
import org.robber.core.manifest.Manifest;
import org.robber.core.manifest.ManifestCodec;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.piece.PieceLayout;
import org.robber.core.strategy.Strategies;
import org.robber.transport.storage.CopyRecords;
import org.robber.transport.storage.CopyTerms;
import org.robber.transport.storage.TreeTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in replicating a tree: all nodes do the same steps in the same order. Whatever fails at one node ends the
 * job at all of them, with the reason of the one that failed.
 */
final class Replication {

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private final ReplicateRequest request;
    private final Communicator world;
    private final NodeOutput output;
    private final TargetSlot slot;
    private final RootReport report;
    private final Guard guard;

    private volatile String phase = "scan";
    private volatile List<Integer> late = List.of();
    private volatile boolean transferring;
    /** How this node's own copy was put in place, once it was tried. */
    private @Nullable NodeResult committed;

    Replication(ReplicateRequest request, Communicator world, NodeOutput output, TargetSlot slot) {
        this.request = request;
        this.world = world;
        this.output = output;
        this.slot = slot;
        this.report = new RootReport(request, world, output);
        this.guard = new Guard(world, this::phase);
    }

    /** What the node is doing. */
    String phase() {
        return phase;
    }

    /** At rank 0: nodes that lack something of the transfer, as far as is known. */
    List<Integer> late() {
        return late;
    }

    private void enter(String next) {
        LOG.debug("{} has ended, {} begins", phase, next);
        phase = next;
    }

    private void progress(JobProgress progress) {
        late = progress.late();
        output.progress(progress);
    }

    /**
     * Takes part.
     *
     * @return the exit code, the same on every node
     * @throws RobberException if the job failed; rank 0 has printed its report then
     */
    int run() {
        try {
            return guard.orFail(this::steps);
        } catch (RobberException e) {
            boolean wrong = e.reason() == Reason.SOURCE_CHANGED || e.reason() == Reason.INTEGRITY;
            if (wrong && transferring) {
                // what has come would be found to be wrong again
                slot.distrust();
            }
            NodeResult mine = committed;
            boolean complete = mine != null && mine.complete();
            throw report.failed(complete && e.reason() == Reason.NETWORK ? partial(e) : e);
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
        Root root = world.rank() == 0 ? guard.here(Reason.SOURCE, this::scan) : null;
        SourceFacts facts = SourceFacts.fromBytes(
                world.broadcast(root == null ? new byte[0] : facts(root).toBytes()));
        if (root != null) {
            report.source(root);
            strategy().remarks().forEach(LOG::warn);
        }

        enter("prepare");
        String destination = DestinationPattern.resolve(request.destination(), world);
        List<PlaceFacts> places = comparePlaces(root, destination);
        if (request.dryRun()) {
            return Plan.tell(request, world, places, root, output);
        }
        Received received;
        try (MulticastChannel channel = world.multicastChannel(request.channel())) {
            received = guard.orFail(() -> receive(channel, facts, root, places, destination));
        }
        enter("commit");
        // Nobody shows a copy before the source is known to have been the same from the first byte to the last. Once
        // nodes do, one that is lost changes nothing for the others.
        world.lastBarrier();
        NodeResult mine = commit(received);
        committed = mine;
        report.committed(mine);
        int exitCode = guard.orFail(() -> finish(mine));
        report.print();
        return exitCode;
    }

    private MulticastStrategy strategy() {
        return Strategies.byName(request.channel().strategy(), request.channel().bandwidths());
    }

    /** What a node has when everyone has everything. */
    private record Received(@Nullable TreeTarget target, TransferStats stats) {}

    private Received receive(
            MulticastChannel channel,
            SourceFacts facts,
            @Nullable Root root,
            List<PlaceFacts> places,
            String destination) {
        enter("manifest");
        Manifest manifest = manifest(channel, facts, root);
        enter("prepare");
        PieceLayout layout = layout(manifest.totalBytes());
        TreeTarget target = openTarget(destination, manifest, facts.copyKey(), layout, root);
        // the transfer is watched for standing still, and preparing may take its time: none begins before all are ready
        boolean resumes = compareLeftovers(target, root, places, manifest.totalBytes());
        enter("transfer");
        Storage storage = storage(root, target, layout);
        world.onProgress(this::progress);
        if (root != null) {
            output.started(storage.sizeBytes());
        }
        transferring = true;
        long start = System.nanoTime();
        if (resumes) {
            channel.resume(storage, 0);
        } else {
            channel.multicast(storage);
        }
        channel.flush();
        report.seconds((System.nanoTime() - start) / 1e9);
        TransferStats stats = channel.lastStats();
        if (root != null) {
            enter("verify");
            guard.here(Reason.SOURCE, () -> {
                root.finishAndVerify();
                return root;
            });
        }
        return new Received(target, stats);
    }

    private Root scan() {
        report.check();
        return Root.scan(request.source());
    }

    private static SourceFacts facts(Root root) {
        return new SourceFacts(root.copyKey(), root.encodedManifest().length);
    }

    /** Finds nodes that would write to one place, before anyone writes. */
    private List<PlaceFacts> comparePlaces(@Nullable Root root, String destination) {
        PlaceFacts mine =
                guard.here(Reason.DESTINATION, () -> PlaceFacts.of(world.hostName(world.rank()), Path.of(destination)));
        List<PlaceFacts> places = new ArrayList<>();
        for (byte[] bytes : world.gather(mine.toBytes())) {
            places.add(PlaceFacts.fromBytes(bytes));
        }
        if (root != null) {
            guard.here(Reason.USAGE, () -> {
                root.keepSourceIfAt(destination);
                Places.check(places, names(), Places.sourceTree(request.source()), root.keepsSource());
                return root;
            });
        }
        return places;
    }

    private Manifest manifest(MulticastChannel channel, SourceFacts facts, @Nullable Root root) {
        if (root != null) {
            channel.multicast(root.encodedManifest());
            channel.flush();
            return root.manifest();
        }
        ByteBuffer encoded = ByteBuffer.allocate(facts.manifestBytes());
        channel.multicast(encoded);
        channel.flush();
        return guard.here(Reason.INTERNAL, () -> ManifestCodec.decode(encoded));
    }

    private PieceLayout layout(long totalBytes) {
        int pieceBytes = request.channel().pieceBytes();
        return new PieceLayout(totalBytes, pieceBytes == 0 ? world.automaticPieceBytes(totalBytes) : pieceBytes);
    }

    private @Nullable TreeTarget openTarget(
            String destination, Manifest manifest, String copyKey, PieceLayout layout, @Nullable Root root) {
        if (root != null && root.keepsSource()) {
            return null;
        }
        CopyTerms terms = new CopyTerms(copyKey, layout, request.channel().digest(), request.restart());
        TreeTarget target = guard.here(Reason.DESTINATION, () -> TreeTarget.open(destination, manifest, terms));
        slot.hold(new TargetSlot.Target() {
            @Override
            public void close() throws IOException {
                target.close();
            }

            @Override
            public void discard() throws IOException {
                target.discard();
            }
        });
        return target;
    }

    /**
     * Finds out whether nodes have parts from an earlier run, and, before the first byte, whether there is room for the rest.
     *
     * @return whether any node has
     */
    private boolean compareLeftovers(
            @Nullable TreeTarget target, @Nullable Root root, List<PlaceFacts> places, long totalBytes) {
        long mine = target == null ? totalBytes : target.verifiedBytes();
        List<byte[]> told =
                world.gather(ByteBuffer.allocate(Long.BYTES).putLong(mine).array());
        byte[] resumes = new byte[1];
        if (root != null) {
            List<Long> neededBytes = new ArrayList<>();
            long reusedBytes = 0;
            for (int rank = 0; rank < told.size(); rank++) {
                long verifiedBytes = ByteBuffer.wrap(told.get(rank)).getLong();
                neededBytes.add(totalBytes - verifiedBytes);
                reusedBytes += rank == 0 ? 0 : verifiedBytes;
            }
            guard.here(Reason.DESTINATION, () -> {
                Places.checkSpace(places, names(), neededBytes);
                return root;
            });
            if (reusedBytes > 0) {
                LOG.debug("{} are there from an earlier run", ByteText.bytes(reusedBytes));
                resumes[0] = 1;
            }
        }
        return world.broadcast(resumes)[0] != 0;
    }

    private List<String> names() {
        return IntStream.range(0, world.size()).mapToObj(world::nodeName).toList();
    }

    private Storage storage(@Nullable Root root, @Nullable TreeTarget target, PieceLayout layout) {
        if (root != null) {
            return root.storage(target, layout);
        }
        if (target == null) {
            throw new IllegalStateException("only rank 0 may do without a copy of its own");
        }
        return target;
    }

    /** Where it is kept what the copy consists of, if anywhere. */
    private @Nullable Path recordOf(TreeTarget target) {
        Path stateFolder = request.stateFolder();
        return stateFolder == null
                ? null
                : new CopyRecords(stateFolder, world.hostName(world.rank())).prepare(target.directory(), target.name());
    }

    /** Shows the copy under its final name. A failure is this node's alone: others have theirs. */
    private NodeResult commit(Received received) {
        String failure = null;
        try {
            TreeTarget target = received.target();
            if (target != null) {
                target.commit(recordOf(target));
            }
        } catch (RobberException e) {
            failure = FailureText.of(e);
        } catch (RuntimeException e) {
            LOG.error("cannot commit", e);
            failure = e.toString();
        }
        return new NodeResult(received.stats().nanos() / 1e9, received.stats(), failure);
    }

    private int finish(NodeResult mine) {
        List<byte[]> told = world.gather(mine.toBytes());
        List<NodeResult> results = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            RobberException loss = world.lost().get(rank);
            // who was lost after it had told its result has told it
            results.add(
                    loss != null && told.get(rank).length == 0
                            ? NodeResult.unknown(FailureText.of(loss))
                            : NodeResult.fromBytes(told.get(rank)));
        }
        byte[] code = new byte[1];
        if (world.rank() == 0) {
            code[0] = guard.here(Reason.DESTINATION, () -> (byte) report.finished(results));
        }
        return world.broadcast(code)[0];
    }
}
