package org.robber.transport.storage.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.RawPaths;

/**
 * Refuses a tree with two names that the destination's file system takes for one: they differ by case alone, or by the
 * encoding of an accent. One of the two files would overwrite the other.
 */
final class CaseClash {

    private CaseClash() {}

    /**
     * Refuses the tree if this directory's file system does not tell all its names apart.
     *
     * @param directory that exists, with a name that has letters
     */
    static void check(Manifest manifest, Path directory) {
        Path other =
                directory.resolveSibling(String.valueOf(directory.getFileName()).toUpperCase(Locale.ROOT));
        String clash = Files.exists(other, LinkOption.NOFOLLOW_LINKS) ? first(manifest) : null;
        if (clash != null) {
            throw FileFailures.destination(
                    "prepare",
                    "the file system of " + RawPaths.text(directory) + " takes " + clash
                            + " for one name; choose a destination that tells them apart",
                    null);
        }
    }

    /** Two entries of one directory whose names differ in nothing that every file system minds; null if there are none. */
    static @Nullable String first(Manifest manifest) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < manifest.entryCount(); i++) {
            Integer before = seen.put(manifest.parent(i) + "/" + folded(manifest.name(i)), i);
            if (before != null) {
                return manifest.pathText(before) + " and " + manifest.pathText(i);
            }
        }
        return null;
    }

    /** The name as a file system that ignores case, and forms of the same letters, compares it. */
    static String folded(byte[] name) {
        String text = Normalizer.normalize(new String(name, UTF_8), Normalizer.Form.NFKC);
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
