package org.robber.cli.replicate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException.Reason;
import org.robber.RootStripe;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.replicate.Preparation.Prepared;
import org.robber.cli.replicate.Preparation.WholeManifest;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.Root;
import org.robber.cli.source.SharedEntries;
import org.robber.cli.source.SourceScan;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.SideBySide;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;

/**
 * The way of the data to this node: all nodes learn the manifest, find out what they have, and multicast the rest. If several nodes have parts of
 * the source, each part is prepared as a source of its own, and one multicast brings all of them.
 *
 * @param enter told of each phase when it begins
 */
record Reception(
        ReplicateRequest request,
        Communicator world,
        FailureReporter reporter,
        UnfinishedCopy unfinished,
        CollectiveDestinationCheck destinations,
        Consumer<String> enter) {

    /** Hears of the transfer at its beginning and at its end. */
    interface Watch {
        /**
         * The transfer begins.
         *
         * @param parts as they are prepared, at least one
         * @param bytes to be transferred
         */
        void begins(MulticastChannel channel, List<Prepared> parts, long bytes);

        void ends(long nanos);
    }

    /**
     * What has come.
     *
     * @param targets the copies that this node has written, one for each part
     * @param inPlace the parts of which it has written nothing, since it had all of them
     * @param bytes of the data, with those that were here already
     */
    record Received(List<TreeTarget> targets, List<LeftOut> inPlace, TransferStats stats, long bytes) {}

    /** Brings the manifests of all parts to this node. Fails if they do not make one tree. */
    List<WholeManifest> manifests(MulticastChannel channel, List<SourceScan> parts) {
        enter.accept("manifest");
        List<WholeManifest> told = new ArrayList<>();
        for (SourceScan part : parts) {
            told.add(Preparation.manifest(channel, part, reporter));
        }
        return reporter.here(Reason.SOURCE, () -> {
            List<Manifest> all = told.stream().map(WholeManifest::manifest).toList();
            SharedEntries.check(all, request.source().roots(), rank -> FailureText.node(world, rank));
            return told;
        });
    }

    /** Takes part in all of it. */
    Received run(List<SourceScan> parts, String destination, Watch watch) {
        List<Prepared> prepared;
        try (MulticastChannel channel = world.multicastChannel(request.channel())) {
            prepared = reporter.orFail(() -> prepare(channel, parts, destination));
            if (isAsRequested(options(prepared))) {
                return reporter.orFail(() -> transfer(channel, prepared, watch));
            }
        }
        try (MulticastChannel channel = world.multicastChannel(options(prepared))) {
            return reporter.orFail(() -> transfer(channel, prepared, watch));
        }
    }

    /** Prepares all parts. */
    private List<Prepared> prepare(MulticastChannel channel, List<SourceScan> parts, String destination) {
        List<WholeManifest> manifests = manifests(channel, parts);
        enter.accept("prepare");
        long bytes = manifests.stream()
                .mapToLong(told -> told.manifest().totalBytes())
                .sum();
        reporter.doHere(Reason.DESTINATION, () -> request.limits().checkSize(bytes));
        ChannelOptions options = request.channel();
        if (parts.size() > 1) {
            // All parts are cut and verified in one way, so it cannot depend on what one of them is compared with.
            options = options.withPieceBytes(Preparation.pieceBytes(world, options, bytes))
                    .withDigest(PieceHashers.forComparisons(options.digest()));
        }
        List<Prepared> prepared = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            prepared.add(new Preparation(request, world, reporter, unfinished, destinations, options, parts.get(part))
                    .run(channel, manifests.get(part), destination));
        }
        return prepared;
    }

    /** The options of the request, or those that differ from them by the size of pieces and their digest. */
    private ChannelOptions options(List<Prepared> prepared) {
        Prepared first = prepared.get(0);
        boolean fits = prepared.size() == 1
                && Preparation.pieceBytes(
                                world, request.channel(), first.manifest().totalBytes())
                        == first.layout().pieceBytes();
        ChannelOptions options = request.channel().withDigest(first.digest());
        return fits ? options : options.withPieceBytes(first.layout().pieceBytes());
    }

    /** Not by the equals method of the record: to link it costs two per cent of the processor time of a short job. */
    private boolean isAsRequested(ChannelOptions options) {
        return options.pieceBytes() == request.channel().pieceBytes()
                && options.digest().equals(request.channel().digest());
    }

    private Received transfer(MulticastChannel channel, List<Prepared> parts, Watch watch) {
        Prepared first = parts.get(0);
        List<Storage> storages = new ArrayList<>();
        for (Prepared part : parts) {
            storages.add(storage(part));
        }
        SideBySide storage = new SideBySide(storages, first.layout().pieceBytes(), PieceHashers.named(first.digest()));
        List<RootStripe> stripes = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            stripes.add(new RootStripe(
                    parts.get(part).scan().source(), storage.endBytes().get(part)));
        }
        watch.begins(channel, parts, storage.sizeBytes());
        long start = System.nanoTime();
        if (parts.stream().anyMatch(Prepared::resumes)) {
            channel.resume(storage, stripes);
        } else {
            channel.multicast(storage, stripes);
        }
        channel.flush();
        watch.ends(System.nanoTime() - start);
        TransferStats stats = channel.lastStats();
        Stream<Root> own = parts.stream().map(part -> part.scan().root()).filter(Objects::nonNull);
        own.forEach(root -> {
            enter.accept("verify");
            reporter.doHere(Reason.SOURCE, () -> root.finishAndVerify());
        });
        return new Received(
                parts.stream().map(Prepared::target).filter(Objects::nonNull).toList(),
                parts.stream()
                        .filter(part -> part.target() == null && !part.scan().isCopy())
                        .map(part -> new LeftOut(part.whole().manifest(), part.unchanged()))
                        .toList(),
                stats,
                parts.stream()
                        .mapToLong(part -> part.whole().manifest().totalBytes())
                        .sum());
    }

    private Storage storage(Prepared part) {
        TreeTarget target = part.target();
        Root root = part.scan().root();
        if (root != null) {
            return root.storage(target, part.layout());
        }
        if (target == null) {
            // Of a single file that is there already, nothing comes.
            return Storage.of(ByteBuffer.allocate(0));
        }
        return request.limits().keepFreeBytes() == 0
                ? target
                : new GuardedStorage(target, target.directory(), request.limits());
    }
}
