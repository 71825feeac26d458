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
}
