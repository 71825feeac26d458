package org.robber.transport.storage.copy;

import java.io.IOException;
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
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.PartDigests;
import org.robber.transport.storage.record.PieceJournal;
import org.robber.transport.storage.record.PieceJournal.Content;
import org.robber.transport.storage.record.PieceJournal.Head;
import org.robber.transport.storage.record.VerifiedPieces;
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
        FormerCopy former = FormerCopy.of(manifest, destination, terms.former());
        Content left = left(staging, terms);
        CaseClash.check(manifest, staging.tree());
        if (left == null) {
            // before memory is taken for so many pieces; what may be there already need not fit once more
            checkSpace(staging.directory(), manifest.totalBytes(), former.bytes());
        }
        AttributeWriter attributes = AttributeWriter.probing(staging.directory());
        StagedTree staged = new StagedTree(staging.tree(), manifest, attributes);
        Leftovers leftovers = new Leftovers(staged, manifest, attributes);
        boolean resumes = left != null
                && Arrays.equals(left.head().manifest(), head.manifest())
                && left.head().layout().totalBytes() == manifest.totalBytes();
        if (left == null) {
            staged.createDirectories();
        } else if (resumes) {
            leftovers.takeOver(destination);
        } else {
            leftovers.takeOverOfOthers();
        }
        VerifiedPieces verified = VerifiedPieces.find(
                staging,
                head,
                resumes ? left : null,
                (offsetBytes, bytes) -> Ranges.forEachFile(manifest, offsetBytes, bytes, staged::read),
                parts);
        try {
            leftovers.settle(verified, new BitSet());
            // Leftovers of another version of the source may be right or not, as an earlier copy.
            long unknownBytes = verified.totalBytes() > 0 ? 0 : leftovers.bytes();
            checkSpace(
                    staging.directory(), manifest.totalBytes() - verified.totalBytes(), former.bytes() + unknownBytes);
            return new TreeTarget(
                    manifest,
                    destination,
                    staging,
                    staged,
                    attributes,
                    verified,
                    parts,
                    former,
                    unknownBytes,
                    terms.leftOut());
        } catch (IOException | RobberException e) {
            verified.close();
            staged.close();
            throw e;
        }
    }

    /** The journal that an earlier run has left, of this or of another version of the source, or null. */
    private static @Nullable Content left(Staging staging, CopyTerms terms) throws IOException {
        if (staging.isFresh()) {
            return null;
        }
        Content left = terms.restart() ? null : PieceJournal.read(staging.journal());
        if (left == null) {
            staging.clear();
        }
        return left;
    }

    private static void checkSpace(Path directory, long neededBytes, long maybeThereBytes) {
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
        if (freeBytes < neededBytes && freeBytes < neededBytes - maybeThereBytes) {
            throw FileFailures.destination(
                    "prepare",
                    "not enough space for " + RawPaths.text(directory) + ": " + neededBytes + " bytes are needed, "
                            + freeBytes + " are free; free some, or choose another destination",
                    null);
        }
    }
}
