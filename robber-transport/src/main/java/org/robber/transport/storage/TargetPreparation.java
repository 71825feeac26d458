package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.PieceJournal.Content;
import org.robber.transport.storage.PieceJournal.Head;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what can fail before the first byte comes to a {@link TreeTarget}, and finds out what an earlier run has left. */
final class TargetPreparation {
    private static final Logger LOG = LoggerFactory.getLogger(TargetPreparation.class);

    private TargetPreparation() {}

    /** As {@link TreeTarget#open}. */
    static TreeTarget prepare(String destination, Manifest manifest, CopyTerms terms) {
        Destination prepared = Destination.prepare(destination, manifest);
        Staging staging = null;
        TreeTarget target = null;
        try {
            Installation.check(manifest, prepared);
            staging = Staging.enter(prepared, manifest, terms.key());
            target = target(staging, prepared, manifest, terms);
            return target;
        } catch (IOException e) {
            throw FileFailures.destination("prepare", prepared.directory(), e);
        } finally {
            if (target == null) {
                Staging.end(staging, prepared, staging != null && !staging.isFresh());
            }
        }
    }

    private static TreeTarget target(Staging staging, Destination destination, Manifest manifest, CopyTerms terms)
            throws IOException {
        PieceHasher hasher = PieceHashers.named(terms.digest());
        PartDigests parts = new PartDigests(manifest, terms.layout(), hasher);
        Head head = new Head(
                ManifestCodec.encode(manifest), terms.layout(), parts.count(), terms.digest(), hasher.digestBytes());
        FormerCopy former = new FormerCopy(manifest, destination, terms.former());
        Content left = left(staging, head, manifest, terms);
        CaseClash.check(manifest, staging.tree());
        if (left == null) {
            // before memory is taken for so many pieces; what may be there already need not fit once more
            checkSpace(staging.directory(), manifest.totalBytes(), former);
        }
        AttributeWriter attributes = AttributeWriter.probing(staging.directory());
        StagedTree staged = new StagedTree(staging.tree(), manifest, attributes);
        Leftovers leftovers = new Leftovers(staged, manifest, attributes);
        if (left == null) {
            staged.createDirectories();
        } else {
            leftovers.takeOver(destination);
        }
        VerifiedPieces verified = VerifiedPieces.find(
                staging,
                head,
                left,
                (offsetBytes, bytes) -> Ranges.forEachFile(manifest, offsetBytes, bytes, staged::read),
                parts);
        leftovers.settle(verified, new BitSet());
        TreeTarget target = new TreeTarget(
                manifest, destination, staging, staged, attributes, verified, parts, former, terms.whole());
        try {
            checkSpace(staging.directory(), manifest.totalBytes() - target.verifiedBytes(), former);
        } catch (RobberException e) {
            verified.close();
            staged.close();
            throw e;
        }
        return target;
    }

    /** The journal of this very copy that an earlier run has left, or the record of a copy to repair, or null. Other leftovers are removed. */
    private static @Nullable Content left(Staging staging, Head head, Manifest manifest, CopyTerms terms)
            throws IOException {
        Path record = terms.record();
        boolean repairs = staging.isFresh() && record != null;
        if (repairs) {
            Files.copy(record, staging.journal());
        }
        Content left = (staging.isFresh() && !repairs) || terms.restart() ? null : PieceJournal.read(staging.journal());
        if (left != null && !Arrays.equals(left.head().manifest(), head.manifest())) {
            if (!left.digests().known().isEmpty() && !isOfSameSource(left.head(), manifest, terms)) {
                throw FileFailures.changedSince(
                        staging.directory(), left.digests().known());
            }
            left = null;
        }
        if (left != null && left.head().layout().totalBytes() != manifest.totalBytes()) {
            left = null;
        }
        if (left == null && !staging.isFresh()) {
            staging.clear();
        }
        return left;
    }

    /** Whether the leftovers are only another part of what is copied: nodes have come or gone, and with them what they all had. */
    private static boolean isOfSameSource(Head left, Manifest manifest, CopyTerms terms) {
        Manifest whole = terms.whole() == null ? manifest : terms.whole();
        try {
            return ManifestPart.isPartOf(ManifestCodec.decode(ByteBuffer.wrap(left.manifest())), whole);
        } catch (ManifestException e) {
            LOG.debug("The leftovers are of something unknown", e);
            return false;
        }
    }

    private static void checkSpace(Path directory, long neededBytes, FormerCopy former) {
        long freeBytes;
        try {
            FileStore store = Files.getFileStore(directory);
            if (store.getTotalSpace() == 0) {
                return;
            }
            freeBytes = store.getUsableSpace();
        } catch (IOException e) {
            LOG.debug("The free space of {} cannot be found out", directory, e);
            return;
        }
        if (freeBytes < neededBytes && freeBytes < neededBytes - former.bytes()) {
            throw FileFailures.destination(
                    "prepare",
                    "not enough space for " + RawPaths.text(directory) + ": " + neededBytes + " bytes are needed, "
                            + freeBytes + " are free; free some, or choose another destination",
                    null);
        }
    }
}
