package org.robber.cli.replicate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.Communicator.JobProgress;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.cli.report.NodeResult;
import org.robber.core.manifest.Manifest;
import org.robber.core.manifest.ManifestCodec;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
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

    private volatile String phase = "scan";
    private volatile List<Integer> late = List.of();
    /** How this node's own copy was put in place, once it was tried. */
    private @Nullable NodeResult committed;

    Replication(ReplicateRequest request, Communicator world, NodeOutput output, TargetSlot slot) {
        this.request = request;
        this.world = world;
        this.output = output;
        this.slot = slot;
        this.report = new RootReport(request, world, output);
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
            return orFail(this::steps);
        } catch (RobberException e) {
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
        Root root = world.rank() == 0 ? here(Reason.SOURCE, this::scan) : null;
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
            received = orFail(() -> receive(channel, facts, root, destination));
        }
        enter("commit");
        // Nobody shows a copy before the source is known to have been the same from the first byte to the last. Once
        // nodes do, one that is lost changes nothing for the others.
        world.lastBarrier();
        NodeResult mine = commit(received);
        committed = mine;
        report.committed(mine);
        int exitCode = orFail(() -> finish(mine));
        report.print();
        return exitCode;
    }

    private MulticastStrategy strategy() {
        return Strategies.byName(request.channel().strategy(), request.channel().bandwidths());
    }

    /** What a node has when everyone has everything. */
    private record Received(@Nullable TreeTarget target, TransferStats stats) {}

    private Received receive(MulticastChannel channel, SourceFacts facts, @Nullable Root root, String destination) {
        enter("manifest");
        Manifest manifest = manifest(channel, facts, root);
        enter("prepare");
        TreeTarget target = openTarget(destination, manifest, facts.jobId(), root);
        // the transfer is watched for standing still, and making a large tree's folders may take its time
        world.barrier();
        enter("transfer");
        Storage storage = storage(root, target);
        world.onProgress(this::progress);
        if (root != null) {
            output.started(storage.sizeBytes());
        }
        long start = System.nanoTime();
        channel.multicast(storage);
        channel.flush();
        report.seconds((System.nanoTime() - start) / 1e9);
        TransferStats stats = channel.lastStats();
        if (root != null) {
            enter("verify");
            here(Reason.SOURCE, () -> {
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

    private SourceFacts facts(Root root) {
        String jobId = request.jobId();
        if (jobId == null) {
            jobId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        }
        return new SourceFacts(jobId, root.encodedManifest().length);
    }

    /** Finds nodes that would write to one place, before anyone writes. */
    private List<PlaceFacts> comparePlaces(@Nullable Root root, String destination) {
        PlaceFacts mine =
                here(Reason.DESTINATION, () -> PlaceFacts.of(world.hostName(world.rank()), Path.of(destination)));
        List<PlaceFacts> places = new ArrayList<>();
        for (byte[] bytes : world.gather(mine.toBytes())) {
            places.add(PlaceFacts.fromBytes(bytes));
        }
        if (root != null) {
            List<String> names = new ArrayList<>();
            for (int rank = 0; rank < world.size(); rank++) {
                names.add(world.nodeName(rank));
            }
            here(Reason.USAGE, () -> {
                root.keepSourceIfAt(destination);
                Places.check(places, names, Places.sourceTree(request.source()), root.keepsSource());
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
        return here(Reason.INTERNAL, () -> ManifestCodec.decode(encoded));
    }

    private @Nullable TreeTarget openTarget(String destination, Manifest manifest, String jobId, @Nullable Root root) {
        if (root != null && root.keepsSource()) {
            return null;
        }
        TreeTarget target = here(Reason.DESTINATION, () -> TreeTarget.create(destination, manifest, jobId));
        slot.hold(target);
        return target;
    }

    private Storage storage(@Nullable Root root, @Nullable TreeTarget target) {
        if (root != null) {
            return root.storage(target, request.channel(), world);
        }
        if (target == null) {
            throw new IllegalStateException("only rank 0 may do without a copy of its own");
        }
        return target;
    }

    /** Shows the copy under its final name. A failure is this node's alone: others have theirs. */
    private NodeResult commit(Received received) {
        String failure = null;
        try {
            TreeTarget target = received.target();
            if (target != null) {
                target.commit();
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
            code[0] = here(Reason.DESTINATION, () -> (byte) report.finished(results));
        }
        return world.broadcast(code)[0];
    }

    /** Does what can fail at this node alone, and tells everyone if it does. */
    private <T> T here(Reason reason, Callable<T> step) {
        try {
            return step.call();
        } catch (RobberException e) {
            throw failEverywhere(FailureText.here(world, phase, e));
        } catch (IOException | RuntimeException e) {
            throw failEverywhere(
                    FailureText.here(world, phase, e instanceof IOException ? reason : Reason.INTERNAL, e));
        } catch (Exception e) {
            throw failEverywhere(FailureText.here(world, phase, Reason.INTERNAL, e));
        }
    }

    /** A defect at this node must not look to the others as if it had merely left. */
    private <T> T orFail(Supplier<T> part) {
        try {
            return part.get();
        } catch (RobberException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failEverywhere(FailureText.here(world, phase, Reason.INTERNAL, e));
        }
    }

    /** Ends the job; returns its failure, which is another if one elsewhere was the first. */
    private RobberException failEverywhere(RobberException failure) {
        world.fail(failure);
        try {
            world.barrier();
            return failure;
        } catch (RobberException first) {
            return first;
        }
    }
}
