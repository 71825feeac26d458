package org.robber.transport.manifest;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Arrays;

/**
 * Builds a {@link Manifest}, entry by entry, depth first, and checks all its rules, for scanned and for received trees
 * alike. Not thread-safe. After an exception it can't be used any more.
 */
public final class ManifestBuilder {
    private static final int FIRST_CAPACITY = 64;

    private int count;
    private byte[] text = new byte[FIRST_CAPACITY * 16];
    private int textBytes;
    private int[] textEnds;
    private int[] parents;
    private short[] kindsAndModes;
    private long[] mtimeSeconds;
    private int[] mtimeNanos;
    private long[] dataEnds;
    private long totalBytes;

    /** For each open directory its entry, the length of its path, and the entry that it was given last. */
    private int depth;

    private int[] openDirectories = new int[16];
    private int[] pathBytes = new int[16];
    private int[] lastSiblings = new int[16];

    public ManifestBuilder() {
        this(FIRST_CAPACITY);
    }

    /**
     * @param expectedEntries memory is taken for so many at once; there may be more or fewer
     */
    ManifestBuilder(int expectedEntries) {
        textEnds = new int[expectedEntries];
        parents = new int[expectedEntries];
        kindsAndModes = new short[expectedEntries];
        mtimeSeconds = new long[expectedEntries];
        mtimeNanos = new int[expectedEntries];
        dataEnds = new long[expectedEntries];
        openDirectories[0] = -1;
        lastSiblings[0] = -1;
    }

    /** Begins with a directory without a name: what follows is its contents. Must come first, and need not be ended. */
    @CanIgnoreReturnValue
    public ManifestBuilder root(EntryAttributes attributes) {
        if (count > 0) {
            throw new ManifestException("entry " + count + " has no name");
        }
        return open(append(EntryKind.DIRECTORY, new byte[0], attributes, 0));
    }

    /** Adds a directory; what follows up to its {@link #endDirectory} is inside it. */
    @CanIgnoreReturnValue
    public ManifestBuilder directory(byte[] name, EntryAttributes attributes) {
        return open(add(EntryKind.DIRECTORY, name, attributes, 0));
    }

    /** Ends the directory that was begun last. */
    @CanIgnoreReturnValue
    public ManifestBuilder endDirectory() {
        if (depth == 0) {
            throw new ManifestException("entry " + count + " goes up beyond the top");
        }
        depth--;
        return this;
    }

    /** Adds a file. */
    @CanIgnoreReturnValue
    public ManifestBuilder file(byte[] name, EntryAttributes attributes, long sizeBytes) {
        if (sizeBytes < 0 || sizeBytes > Manifest.MAX_TOTAL_BYTES - totalBytes) {
            throw new ManifestException("entry " + count + " of " + Long.toUnsignedString(sizeBytes)
                    + " bytes makes more than " + Manifest.MAX_TOTAL_BYTES + " bytes together");
        }
        add(EntryKind.FILE, name, attributes, sizeBytes);
        return this;
    }

    /**
     * Adds a symbolic link.
     *
     * @param target what the link says, 1..4095 bytes, any but NUL; it may point anywhere, since no node follows it
     */
    @CanIgnoreReturnValue
    public ManifestBuilder symlink(byte[] name, EntryAttributes attributes, byte[] target) {
        if (target.length == 0 || target.length > Manifest.MAX_PATH_BYTES || contains(target, 0)) {
            throw new ManifestException("entry " + count + ": bad link target: " + PathText.of(target));
        }
        int entry = add(EntryKind.SYMLINK, name, attributes, 0);
        appendText(new byte[1]);
        appendText(target);
        textEnds[entry] = textBytes;
        return this;
    }

    /** Adds an entry of another manifest as what it is there. A directory that is not the root is to be ended. */
    public void add(Manifest from, int entry) {
        byte[] name = from.name(entry);
        EntryAttributes attributes = from.attributes(entry);
        switch (from.kind(entry)) {
            case FILE -> file(name, attributes, from.sizeBytes(entry));
            case SYMLINK -> symlink(name, attributes, from.linkTarget(entry));
            case DIRECTORY -> {
                if (name.length == 0) {
                    root(attributes);
                } else {
                    directory(name, attributes);
                }
            }
        }
    }

    /** The manifest. The builder must not be used any more. */
    public Manifest build() {
        return new Manifest(count, text, textEnds, parents, kindsAndModes, mtimeSeconds, mtimeNanos, dataEnds);
    }

    private int add(EntryKind kind, byte[] name, EntryAttributes attributes, long sizeBytes) {
        checkName(name);
        if (depth == 0 && count > 0 && textEnds[0] == 0) {
            throw new ManifestException("entry " + count + " is outside the root");
        }
        if (pathBytesOf(name) > Manifest.MAX_PATH_BYTES) {
            throw new ManifestException(
                    "entry " + count + " has a path longer than " + Manifest.MAX_PATH_BYTES + " bytes");
        }
        int last = lastSiblings[depth];
        if (last >= 0 && compareWithName(last, name) >= 0) {
            throw new ManifestException(
                    "entry " + count + ", " + PathText.of(name) + ", is a duplicate, or comes after a greater name");
        }
        return append(kind, name, attributes, sizeBytes);
    }

    private int append(EntryKind kind, byte[] name, EntryAttributes attributes, long sizeBytes) {
        if (count == Manifest.MAX_ENTRIES) {
            throw new ManifestException("more than " + Manifest.MAX_ENTRIES + " entries");
        }
        if (count == textEnds.length) {
            grow(Math.max(FIRST_CAPACITY, count + (count >> 1)));
        }
        appendText(name);
        totalBytes += sizeBytes;
        textEnds[count] = textBytes;
        parents[count] = openDirectories[depth];
        kindsAndModes[count] = Manifest.kindAndMode(kind, attributes.mode());
        mtimeSeconds[count] = attributes.mtimeSeconds();
        mtimeNanos[count] = attributes.mtimeNanos();
        dataEnds[count] = totalBytes;
        lastSiblings[depth] = count;
        return count++;
    }

    private ManifestBuilder open(int directory) {
        int length = pathBytes[depth] + (textEnds[directory] - textStart(directory)) + (pathBytes[depth] > 0 ? 1 : 0);
        depth++;
        if (depth == openDirectories.length) {
            openDirectories = Arrays.copyOf(openDirectories, depth * 2);
            pathBytes = Arrays.copyOf(pathBytes, depth * 2);
            lastSiblings = Arrays.copyOf(lastSiblings, depth * 2);
        }
        openDirectories[depth] = directory;
        pathBytes[depth] = length;
        lastSiblings[depth] = -1;
        return this;
    }

    private void checkName(byte[] name) {
        boolean dots = name.length <= 2 && name.length > 0 && name[0] == '.' && name[name.length - 1] == '.';
        if (name.length == 0
                || name.length > Manifest.MAX_NAME_BYTES
                || dots
                || contains(name, 0)
                || contains(name, '/')) {
            throw new ManifestException("entry " + count + ": bad name: '" + PathText.of(name) + "'");
        }
    }

    private static boolean contains(byte[] bytes, int wanted) {
        for (byte b : bytes) {
            if (b == wanted) {
                return true;
            }
        }
        return false;
    }

    private int pathBytesOf(byte[] name) {
        return pathBytes[depth] == 0 ? name.length : pathBytes[depth] + 1 + name.length;
    }

    /** Below zero if the name of the entry is smaller, zero if it is the same. */
    private int compareWithName(int entry, byte[] name) {
        int start = textStart(entry);
        int end = textEnds[entry];
        for (int i = 0; ; i++) {
            // The NUL behind the name of a link ends it, too.
            int ours = start + i == end ? 0 : text[start + i] & 0xff;
            int theirs = i == name.length ? 0 : name[i] & 0xff;
            if (ours != theirs || ours == 0) {
                return ours - theirs;
            }
        }
    }

    private int textStart(int entry) {
        return entry == 0 ? 0 : textEnds[entry - 1];
    }

    private void appendText(byte[] bytes) {
        long needed = (long) textBytes + bytes.length;
        if (needed > text.length) {
            if (needed > ManifestCodec.MAX_ENCODED_BYTES) {
                throw new ManifestException(
                        "names of more than " + ManifestCodec.MAX_ENCODED_BYTES + " bytes together");
            }
            text = Arrays.copyOf(text, (int) Math.max(needed, (long) text.length + (text.length >> 1)));
        }
        System.arraycopy(bytes, 0, text, textBytes, bytes.length);
        textBytes += bytes.length;
    }

    private void grow(int capacity) {
        textEnds = Arrays.copyOf(textEnds, capacity);
        parents = Arrays.copyOf(parents, capacity);
        kindsAndModes = Arrays.copyOf(kindsAndModes, capacity);
        mtimeSeconds = Arrays.copyOf(mtimeSeconds, capacity);
        mtimeNanos = Arrays.copyOf(mtimeNanos, capacity);
        dataEnds = Arrays.copyOf(dataEnds, capacity);
    }
}
