package org.robber.transport.manifest;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Manifests as bytes. One manifest has one form only: what decodes at all is what {@link #encode} gives for the result.
 *
 * <p>Version 1: {@code RMAN}, a byte 1, the number of entries, then for each entry: how many directories end before it,
 * times 4, plus its kind (0 file, 1 directory, 2 link); length of the name and the name; mode; seconds of the mtime as the
 * zigzag difference to the previous entry's; nanoseconds; for a file its size; for a link the length of its target and the
 * target. Numbers are unsigned LEB128 in their shortest form.
 *
 * <p>Parents are not named but follow from the order, so a child without a directory, and a path that leads out of the
 * tree, cannot even be said.
 */
public final class ManifestCodec {

    /** Longest encoded manifest. */
    public static final int MAX_ENCODED_BYTES = 1 << 30;

    private static final byte[] MAGIC = {'R', 'M', 'A', 'N', 1};
    private static final int SMALLEST_ENTRY_BYTES = 6;

    private ManifestCodec() {}

    /**
     * The manifest as bytes.
     *
     * @throws ManifestException if these would be more than {@link #MAX_ENCODED_BYTES}
     */
    public static byte[] encode(Manifest manifest) {
        NumberWriter out = new NumberWriter(32 + manifest.entryCount() * 24L);
        out.bytes(MAGIC);
        out.number(manifest.entryCount());
        long previousSeconds = 0;
        int directory = -1;
        for (int i = 0; i < manifest.entryCount(); i++) {
            int ended = 0;
            for (; directory != manifest.parent(i); directory = manifest.parent(directory)) {
                ended++;
            }
            EntryKind kind = manifest.kind(i);
            out.number((long) ended << 2 | kind.code());
            out.text(manifest.name(i));
            EntryAttributes attributes = manifest.attributes(i);
            out.number(attributes.mode());
            out.signed(attributes.mtimeSeconds() - previousSeconds);
            out.number(attributes.mtimeNanos());
            previousSeconds = attributes.mtimeSeconds();
            switch (kind) {
                case FILE -> out.number(manifest.sizeBytes(i));
                case SYMLINK -> out.text(manifest.linkTarget(i));
                case DIRECTORY -> directory = i;
            }
        }
        return out.toByteArray();
    }

    /** The manifest that these bytes are; see {@link #decode(ByteBuffer)}. */
    public static Manifest decode(byte[] encoded) {
        return decode(ByteBuffer.wrap(encoded));
    }

    /**
     * The manifest that what remains of the buffer is; its position does not change. Takes memory in proportion to the
     * length of the input, whatever the input says.
     *
     * @throws ManifestException if the bytes break any rule; nothing else is thrown for any input
     */
    public static Manifest decode(ByteBuffer encoded) {
        if (encoded.remaining() > MAX_ENCODED_BYTES) {
            throw new ManifestException("more than " + MAX_ENCODED_BYTES + " bytes");
        }
        NumberReader in = new NumberReader(encoded.duplicate());
        if (!Arrays.equals(in.bytes(MAGIC.length), MAGIC)) {
            throw new ManifestException("no manifest of version 1");
        }
        int count =
                in.number("number of entries", Math.min(Manifest.MAX_ENTRIES, in.remaining() / SMALLEST_ENTRY_BYTES));
        ManifestBuilder builder = new ManifestBuilder(count);
        long seconds = 0;
        for (int i = 0; i < count; i++) {
            int endedAndKind = in.number("kind", Manifest.MAX_PATH_BYTES << 2);
            for (int ended = endedAndKind >> 2; ended > 0; ended--) {
                builder.endDirectory();
            }
            byte[] name = in.text("name", Manifest.MAX_NAME_BYTES);
            int mode = in.number("mode", EntryAttributes.MODE_BITS);
            seconds += in.signed("mtime");
            int nanos = in.number("nanoseconds", Integer.MAX_VALUE);
            EntryAttributes attributes = new EntryAttributes(mode, seconds, nanos);
            switch (EntryKind.ofCode(endedAndKind & 3)) {
                case FILE -> builder.file(name, attributes, in.number("size"));
                case DIRECTORY -> {
                    if (name.length == 0) {
                        builder.root(attributes);
                    } else {
                        builder.directory(name, attributes);
                    }
                }
                case SYMLINK -> builder.symlink(name, attributes, in.text("link target", Manifest.MAX_PATH_BYTES));
            }
        }
        if (in.remaining() > 0) {
            throw new ManifestException(in.remaining() + " bytes behind the last entry");
        }
        return builder.build();
    }
}
