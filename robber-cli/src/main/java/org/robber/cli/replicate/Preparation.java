package org.robber.cli.replicate;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException.Reason;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.Root;
import org.robber.cli.source.SourceScan;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.EarlierCopy;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.record.CopyRecords;

/** What a node does between the first connection and the first piece of data: it learns the manifest, and finds out what it has already. */
final class Preparation {

    private final ReplicateRequest request;
    private final Communicator world;
    private final FailureReporter reporter;
    private final UnfinishedCopy unfinished;
    private final CollectiveDestinationCheck destinations;
    private final ChannelOptions options;
    private final SourceScan scan;
    private final @Nullable Root root;

    /**
     * @param options how the data is cut and verified, if nothing is compared
     * @param scan of the source, or of the part of it that one node has
     */
    Preparation(
            ReplicateRequest request,
            Communicator world,
            FailureReporter reporter,
            UnfinishedCopy unfinished,
            CollectiveDestinationCheck destinations,
            ChannelOptions options,
            SourceScan scan) {
        this.request = request;
        this.world = world;
        this.reporter = reporter;
        this.unfinished = unfinished;
        this.destinations = destinations;
        this.options = options;
        this.scan = scan;
        this.root = scan.root();
    }

    /**
     * What a node is prepared for.
     *
     * @param scan of the source, or of the part of it that one node has
     * @param target where it writes its copy; null if its copy is the source, or is there already
     * @param layout the pieces that come
     * @param digest the name of their digest
     * @param resumes whether any node has pieces already
     * @param whole the manifest with the files that all nodes have already
     * @param unchanged these files
     */
    record Prepared(
            SourceScan scan,
            Manifest manifest,
            @Nullable TreeTarget target,
            PieceLayout layout,
            String digest,
            boolean resumes,
            WholeManifest whole,
            BitSet unchanged) {

        /** How many bytes are left out, because all nodes have them. */
        long bytesLeftOut() {
            return whole.manifest().totalBytes() - manifest.totalBytes();
        }
    }

    /** The manifest of the source, also as it is sent. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never copied or compared here
    record WholeManifest(Manifest manifest, byte[] encoded) {}

    /** Brings the manifest from the node that has the source to all. */
    static WholeManifest manifest(MulticastChannel channel, SourceScan scan, FailureReporter reporter) {
        Root root = scan.root();
        if (root != null) {
            channel.multicast(root.encodedManifest(), scan.source());
            channel.flush();
            return new WholeManifest(root.manifest(), root.encodedManifest());
        }
        byte[] encoded = new byte[scan.facts().manifestBytes()];
        channel.multicast(encoded, scan.source());
        channel.flush();
        return new WholeManifest(
                reporter.here(Reason.INTERNAL, () -> ManifestCodec.decode(ByteBuffer.wrap(encoded))), encoded);
    }

    /** Takes part in the preparation of all nodes. When it returns at rank 0, all nodes are ready. */
    Prepared run(MulticastChannel channel, WholeManifest told, String destination) {
        Manifest whole = told.manifest();
        EarlierCopy earlier = earlierCopy(destination, whole, scan.facts().copyKey());
        BitSet unchanged =
                new UnchangedFiles(world, reporter).agree(whole, root != null && root.keepsSource(), earlier);
        if (root != null) {
            root.leaveOut(unchanged);
        }
        Manifest manifest = ManifestPart.without(whole, unchanged);
        UnaryOperator<CopyTerms> after = terms -> terms.after(new LeftOut(whole, unchanged), earlier.manifest());
        long totalBytes = manifest.totalBytes();
        PieceLayout layout = layout(totalBytes);
        String digest = options.digest();
        TreeTarget target = openTarget(destination, manifest, after.apply(terms(layout, digest)));
        // the transfer is watched for standing still, and preparing may take its time: none begins before all are ready
        Start start = destinations.compareLeftovers(target, layout, scan.source(), options.pieceBytes() == 0);
        if (!start.compares()) {
            return new Prepared(scan, manifest, target, layout, digest, start.resumes(), told, unchanged);
        }
        String comparing = PieceHashers.forComparisons(digest);
        if (start.pieceBytes() != layout.pieceBytes() || !comparing.equals(digest)) {
            layout = new PieceLayout(totalBytes, start.pieceBytes());
            if (target != null) {
                unfinished.letGo();
            }
            target = openTarget(destination, manifest, after.apply(terms(layout, comparing)));
        }
        adopt(target, digests(channel, layout, comparing), comparing);
        destinations.awaitAll();
        return new Prepared(scan, manifest, target, layout, comparing, true, told, unchanged);
    }

    private PieceLayout layout(long totalBytes) {
        return new PieceLayout(totalBytes, pieceBytes(world, options, totalBytes));
    }

    /** The size of the pieces in which a channel with these options sends so many bytes. */
    static int pieceBytes(Communicator world, ChannelOptions options, long totalBytes) {
        return options.pieceBytes() == 0 ? world.automaticPieceBytes(totalBytes) : options.pieceBytes();
    }

    /** What this node has of the source, as far as sizes and times tell. */
    private EarlierCopy earlierCopy(String destination, Manifest manifest, String copyKey) {
        Path records = request.copying().stateFolder();
        boolean writes = root == null || !root.keepsSource();
        if (request.copying().checksum() || request.copying().restart() || records == null || !writes) {
            return EarlierCopy.none();
        }
        return reporter.here(
                Reason.DESTINATION,
                () -> EarlierCopy.find(
                        destination, manifest, new CopyRecords(records, world.hostName(world.rank())), copyKey));
    }

    private CopyTerms terms(PieceLayout layout, String digest) {
        return new CopyTerms(
                scan.facts().copyKey(), layout, digest, request.copying().restart());
    }

    private @Nullable TreeTarget openTarget(String destination, Manifest manifest, CopyTerms terms) {
        if (root != null && root.keepsSource()) {
            return null;
        }
        if (manifest.entryCount() == 0) {
            LeftOut inPlace = terms.leftOut();
            if (inPlace != null) {
                TreeTarget.removeLeftovers(destination, inPlace.whole(), terms.key());
            }
            return null;
        }
        TreeTarget target = reporter.here(Reason.DESTINATION, () -> TreeTarget.open(destination, manifest, terms));
        unfinished.hold(target);
        return target;
    }

    /** Brings the digests of all pieces from the node that has the source, and reads it for them, to all. */
    private DigestTable digests(MulticastChannel channel, PieceLayout layout, String name) {
        int digestBytes = PieceHashers.named(name).digestBytes();
        if (root != null) {
            DigestTable table = reporter.here(Reason.SOURCE, () -> root.digests(layout, name));
            channel.multicast(table.allBytes(), scan.source());
            channel.flush();
            return table;
        }
        ByteBuffer all = ByteBuffer.allocate(layout.pieceCount() * digestBytes);
        channel.multicast(all, scan.source());
        channel.flush();
        return DigestTable.of(all, layout.pieceCount(), digestBytes);
    }

    private void adopt(@Nullable TreeTarget target, DigestTable right, String name) {
        if (target != null) {
            reporter.doHere(Reason.DESTINATION, () -> target.adopt(right, name));
        }
    }
}
