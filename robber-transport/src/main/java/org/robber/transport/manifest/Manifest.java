package org.robber.transport.manifest;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a tree, or a single file: names, kinds, modes, times, sizes, targets of links. Immutable.
 *
 * <p>Entries are numbered 0..{@link #entryCount}-1 in depth-first order: a directory comes before all that it holds, and
 * the names in one directory ascend as unsigned bytes. The data of the tree is the concatenation of its files in this
 * order, so that small files share pieces.
 *
 * <p>Names are bytes, as the kernel has them, and mean nothing more. If the tree is the contents of a directory, entry 0
 * is that directory itself, with an empty name: see {@link #isRooted}.
 *
 * <p>Takes about 30 bytes an entry, and its name.
 */
public final class Manifest {

    /** No manifest has more entries than this. */
    public static final int MAX_ENTRIES = 1 << 24;

    /** Longest name of an entry, in bytes. */
    public static final int MAX_NAME_BYTES = 255;

    /** Longest path of an entry, and longest target of a link, in bytes: the kernel's limit less the final NUL. */
    public static final int MAX_PATH_BYTES = 4095;

    /** No manifest has more data than this: as much as pieces of 1 GiB can hold. */
    public static final long MAX_TOTAL_BYTES = 1L << 54;

    private static final int MODE_MASK = EntryAttributes.MODE_BITS;
    private static final int KIND_SHIFT = 12;

    private final int entryCount;
    /** For each entry its name; for a link also a NUL, which no name has, and its target. */
    private final byte[] text;

    private final int[] textEnds;
    private final int[] parents;
    private final short[] kindsAndModes;
    private final long[] mtimeSeconds;
    private final int[] mtimeNanos;
    /** Where the data of each entry ends. */
    private final long[] dataEnds;

    /** The arrays may be longer than needed; they are not copied, and must not change any more. */
    Manifest(
            int entryCount,
            byte[] text,
            int[] textEnds,
            int[] parents,
            short[] kindsAndModes,
            long[] mtimeSeconds,
            int[] mtimeNanos,
            long[] dataEnds) {
        this.entryCount = entryCount;
        this.text = text;
        this.textEnds = textEnds;
        this.parents = parents;
        this.kindsAndModes = kindsAndModes;
        this.mtimeSeconds = mtimeSeconds;
        this.mtimeNanos = mtimeNanos;
        this.dataEnds = dataEnds;
    }

    static short kindAndMode(EntryKind kind, int mode) {
        return (short) (kind.code() << KIND_SHIFT | mode);
    }

    /** How many entries there are. */
    public int entryCount() {
        return entryCount;
    }

    /** Size of all files together. */
    public long totalBytes() {
        return entryCount == 0 ? 0 : dataEnds[entryCount - 1];
    }

    /** Whether entry 0 is the directory, without a name, whose contents all other entries are. */
    public boolean isRooted() {
        return entryCount > 0 && textEnds[0] == 0;
    }

    /** Whether this is one file or link, not a tree. */
    public boolean isSingle() {
        return entryCount == 1 && kind(0) != EntryKind.DIRECTORY;
    }

    public EntryKind kind(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        return EntryKind.ofCode(kindsAndModes[entry] >> KIND_SHIFT);
    }

    /** Permission bits, 0..07777. */
    public int mode(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        return kindsAndModes[entry] & MODE_MASK;
    }

    /** Permission bits and time of the last change. */
    public EntryAttributes attributes(int entry) {
        return new EntryAttributes(mode(entry), mtimeSeconds[entry], mtimeNanos[entry]);
    }

    /** The number of the directory that holds this entry, always smaller; -1 at the top. */
    public int parent(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        return parents[entry];
    }

    /** The first entry after this one that isn't inside it. */
    public int subtreeEnd(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        int end = entry + 1;
        while (end < entryCount && parents[end] >= entry) {
            end++;
        }
        return end;
    }

    /** Size of a file; 0 for anything else. */
    public long sizeBytes(int entry) {
        return dataEnds[entry] - offsetBytes(entry);
    }

    /** Where the bytes of a file begin in the data; for anything else, where those of the next file would. */
    public long offsetBytes(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        return entry == 0 ? 0 : dataEnds[entry - 1];
    }

    /** The file that has the byte at this position of the data, 0..{@link #totalBytes}-1. Never an empty one. */
    public int fileAt(long offsetBytes) {
        checkArgument(offsetBytes >= 0 && offsetBytes < totalBytes(), "offset %s of %s", offsetBytes, totalBytes());
        int low = 0;
        int high = entryCount - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (dataEnds[middle] > offsetBytes) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The name of an entry inside its directory, 1..255 bytes; empty for the root only. */
    public byte[] name(int entry) {
        return Arrays.copyOfRange(text, textStart(entry), nameEnd(entry));
    }

    /** The target of a link, as bytes. */
    public byte[] linkTarget(int entry) {
        checkArgument(kind(entry) == EntryKind.SYMLINK, "entry %s is no link", entry);
        return Arrays.copyOfRange(text, nameEnd(entry) + 1, textEnds[entry]);
    }

    /** The names from the top to this entry, with slashes between them; empty for the root only. */
    public byte[] path(int entry) {
        int length = 0;
        for (int i = entry; i >= 0; i = parents[i]) {
            length += nameEnd(i) - textStart(i) + 1;
        }
        byte[] path = new byte[length];
        int start = length;
        for (int i = entry; i >= 0; i = parents[i]) {
            int nameBytes = nameEnd(i) - textStart(i);
            start -= nameBytes;
            System.arraycopy(text, textStart(i), path, start, nameBytes);
            path[--start] = '/';
        }
        // One slash too many in front; two below the root, whose own name is empty.
        return Arrays.copyOfRange(path, isRooted() && entry > 0 ? 2 : 1, length);
    }

    /** The path for people; {@code .} for the root. */
    public String pathText(int entry) {
        byte[] path = path(entry);
        return path.length == 0 ? "." : PathText.of(path);
    }

    private int textStart(int entry) {
        checkElementIndex(entry, entryCount, "entry");
        return entry == 0 ? 0 : textEnds[entry - 1];
    }

    private int nameEnd(int entry) {
        int end = textEnds[entry];
        if (kind(entry) == EntryKind.SYMLINK) {
            end = textStart(entry);
            while (text[end] != 0) {
                end++;
            }
        }
        return end;
    }

    @Override
    public boolean equals(@Nullable Object object) {
        if (!(object instanceof Manifest other) || entryCount != other.entryCount) {
            return false;
        }
        int n = entryCount;
        int textBytes = n == 0 ? 0 : textEnds[n - 1];
        return Arrays.equals(textEnds, 0, n, other.textEnds, 0, n)
                && Arrays.equals(text, 0, textBytes, other.text, 0, textBytes)
                && Arrays.equals(parents, 0, n, other.parents, 0, n)
                && Arrays.equals(kindsAndModes, 0, n, other.kindsAndModes, 0, n)
                && Arrays.equals(mtimeSeconds, 0, n, other.mtimeSeconds, 0, n)
                && Arrays.equals(mtimeNanos, 0, n, other.mtimeNanos, 0, n)
                && Arrays.equals(dataEnds, 0, n, other.dataEnds, 0, n);
    }

    @Override
    public int hashCode() {
        int hash = entryCount;
        for (int i = 0; i < entryCount; i++) {
            hash = 31 * hash + Long.hashCode(dataEnds[i]) + textEnds[i];
        }
        return hash;
    }

    /** Number of entries and bytes, without names. */
    @Override
    public String toString() {
        return entryCount + " entries, " + totalBytes() + " bytes";
    }
}
