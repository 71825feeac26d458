package org.robber.transport.manifest;

import java.util.Arrays;
import java.util.BitSet;

/** A manifest without some of its files. */
public final class ManifestPart {

    private ManifestPart() {}

    /**
     * The manifest without these files. All directories and links stay.
     *
     * @param files entries of the manifest
     */
    public static Manifest without(Manifest manifest, BitSet files) {
        if (files.isEmpty()) {
            return manifest;
        }
        ManifestBuilder builder = new ManifestBuilder();
        int open = -1;
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            if (files.get(entry)) {
                continue;
            }
            while (open != manifest.parent(entry)) {
                builder.endDirectory();
                open = manifest.parent(open);
            }
            EntryAttributes attributes = manifest.attributes(entry);
            switch (manifest.kind(entry)) {
                case FILE -> builder.file(manifest.name(entry), attributes, manifest.sizeBytes(entry));
                case SYMLINK -> builder.symlink(manifest.name(entry), attributes, manifest.linkTarget(entry));
                case DIRECTORY -> {
                    if (entry == 0 && manifest.isRooted()) {
                        builder.root(attributes);
                    } else {
                        builder.directory(manifest.name(entry), attributes);
                    }
                    open = entry;
                }
            }
        }
        return builder.build();
    }

    /** Whether each entry of a manifest is an entry of the whole one, with the same attributes. */
    public static boolean isPartOf(Manifest part, Manifest whole) {
        int[] places = SameEntries.find(part, whole);
        for (int entry = 0; entry < places.length; entry++) {
            int place = places[entry];
            if (place < 0
                    || !part.attributes(entry).equals(whole.attributes(place))
                    || part.sizeBytes(entry) != whole.sizeBytes(place)
                    || !Arrays.equals(textOf(part, entry), textOf(whole, place))) {
                return false;
            }
        }
        return true;
    }

    private static byte[] textOf(Manifest manifest, int entry) {
        return manifest.kind(entry) == EntryKind.SYMLINK ? manifest.linkTarget(entry) : new byte[0];
    }
}
