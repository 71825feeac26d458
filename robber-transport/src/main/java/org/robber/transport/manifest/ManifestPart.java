package org.robber.transport.manifest;

import java.util.BitSet;

/** A manifest without some of its entries. */
public final class ManifestPart {

    private ManifestPart() {}

    /**
     * The manifest without these entries. If a directory is among them, all that is in it has to be, too.
     *
     * @param entries of the manifest; mostly files
     */
    public static Manifest without(Manifest manifest, BitSet entries) {
        if (entries.isEmpty()) {
            return manifest;
        }
        ManifestBuilder builder = new ManifestBuilder();
        int open = -1;
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            if (entries.get(entry)) {
                continue;
            }
            while (open != manifest.parent(entry)) {
                builder.endDirectory();
                open = manifest.parent(open);
            }
            builder.add(manifest, entry);
            if (manifest.kind(entry) == EntryKind.DIRECTORY) {
                open = entry;
            }
        }
        return builder.build();
    }
}
