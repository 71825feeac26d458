package org.robber.cli.replicate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.robber.Communicator;
import org.robber.RobberException.Reason;
import org.robber.cli.node.FailureReporter;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.EarlierCopy;

/** The files that all nodes have from an earlier copy, as far as sizes and times tell. They are neither sent nor read. */
record UnchangedFiles(Communicator world, FailureReporter reporter) {

    /** What all nodes together tell rank 0, and what it tells each of them, is a mebibyte at most. */
    private static final int MOST_TOLD_BYTES = 900_000;

    /**
     * Finds them out. All nodes call this.
     *
     * @param hasAll whether this node needs no copy
     */
    BitSet agree(Manifest manifest, boolean hasAll, EarlierCopy mine) {
        BitSet all = new BitSet();
        all.set(0, manifest.entryCount());
        BitSet own = hasAll ? all : mine.unchanged();
        byte[] agreed =
                world.control().agree(toBytes(own, world.size()), told -> toBytes(common(told, all, manifest), 1));
        BitSet common = fromBytes(agreed, manifest.entryCount());
        return reporter.here(Reason.INTERNAL, () -> checked(common, own, manifest));
    }

    /** The files among these that all nodes name. */
    private static BitSet common(List<byte[]> told, BitSet all, Manifest manifest) {
        BitSet common = (BitSet) all.clone();
        for (byte[] one : told) {
            // Nodes that are lost have told nothing.
            if (one.length > 0) {
                common.and(fromBytes(one, manifest.entryCount()));
            }
        }
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            if (manifest.kind(entry) != EntryKind.FILE) {
                common.clear(entry);
            }
        }
        return common;
    }

    /** A file that is left out, and is not here, would be missing in a copy that is said to be complete. */
    static BitSet checked(BitSet common, BitSet own, Manifest manifest) {
        BitSet missing = (BitSet) common.clone();
        missing.andNot(own);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("rank 0 leaves out " + missing.cardinality()
                    + " files that are not here, the first of them " + manifest.pathText(missing.nextSetBit(0))
                    + "; use --restart");
        }
        return common;
    }

    /** A byte more than nothing. If there is no room for all, no file is named. */
    private static byte[] toBytes(BitSet files, int nodes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(files.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.size() <= MOST_TOLD_BYTES / nodes ? bytes.toByteArray() : new byte[] {1};
    }

    private static BitSet fromBytes(byte[] bytes, int entries) {
        if (bytes.length == 1) {
            return new BitSet();
        }
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
            BitSet files = BitSet.valueOf(in.readNBytes((entries + Byte.SIZE - 1) / Byte.SIZE));
            if (files.length() > entries) {
                throw new IllegalArgumentException("file " + (files.length() - 1) + " of " + entries);
            }
            return files;
        } catch (IOException e) {
            throw new IllegalArgumentException("not a list of files: " + bytes.length + " bytes", e);
        }
    }
}
