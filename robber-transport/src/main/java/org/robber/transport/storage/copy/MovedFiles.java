package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileStat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds files of an earlier copy that may have another name now, by size, then by time or name. Whether the bytes are the same is
 * for digests to say.
 */
final class MovedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MovedFiles.class);

    private static final int SEVERAL = -1;

    private final Manifest earlier;
    private final Destination destination;
    /** Files of one size and one other trait; the first is the last of its list, from which those that are gone are taken away. */
    private final Map<Trait, List<Integer>> byTrait = new HashMap<>();

    private final Map<Long, Integer> bySize = new HashMap<>();

    /** Directories that were looked at, and those of them that are directories and no links. */
    private final BitSet visited = new BitSet();

    private final BitSet real = new BitSet();

    /**
     * A file of the earlier copy.
     *
     * @param path where it is
     */
    record Found(Path path, FileStat stat) {}

    /** What makes files alike; by a hash alone, so that an index of many files stays small. */
    private record Trait(boolean isName, long sizeBytes, long hash) {
        static Trait time(Manifest manifest, int entry) {
            EntryAttributes attributes = manifest.attributes(entry);
            return new Trait(
                    false,
                    manifest.sizeBytes(entry),
                    attributes.mtimeSeconds() * 1_000_000_000 + attributes.mtimeNanos());
        }

        static Trait name(Manifest manifest, int entry) {
            return new Trait(true, manifest.sizeBytes(entry), Arrays.hashCode(manifest.name(entry)));
        }
    }

    MovedFiles(Manifest earlier, Destination destination) {
        this.earlier = earlier;
        this.destination = destination;
        for (int entry = earlier.entryCount() - 1; entry >= 0; entry--) {
            if (earlier.kind(entry) == EntryKind.FILE && earlier.sizeBytes(entry) > 0) {
                add(Trait.time(earlier, entry), entry);
                add(Trait.name(earlier, entry), entry);
                bySize.merge(earlier.sizeBytes(entry), entry, (one, other) -> SEVERAL);
            }
        }
    }

    private void add(Trait trait, int entry) {
        byTrait.computeIfAbsent(trait, unused -> new ArrayList<>(1)).add(entry);
    }

    /** The file that this entry may have been before, unchanged since it was copied; null if there is none. */
    @Nullable
    Found find(Manifest manifest, int wanted) {
        Found found = first(Trait.time(manifest, wanted));
        if (found == null) {
            found = first(Trait.name(manifest, wanted));
        }
        int only = bySize.getOrDefault(manifest.sizeBytes(wanted), SEVERAL);
        return found == null && only != SEVERAL ? look(only) : found;
    }

    private @Nullable Found first(Trait trait) {
        List<Integer> candidates = byTrait.getOrDefault(trait, List.of());
        while (!candidates.isEmpty()) {
            int last = candidates.size() - 1;
            Found found = look(candidates.get(last));
            if (found != null) {
                return found;
            }
            candidates.remove(last);
        }
        return null;
    }

    /** Whether only directories lead there from the destination, and no link. */
    private boolean isReal(int directory) throws IOException {
        if (directory < 0 || (directory == 0 && earlier.isRooted())) {
            return true;
        }
        if (!visited.get(directory)) {
            visited.set(directory);
            if (isReal(earlier.parent(directory))) {
                FileStat stat = FileStat.ofAny(destination.path(earlier, directory));
                real.set(directory, stat != null && stat.isDirectory());
            }
        }
        return real.get(directory);
    }

    private @Nullable Found look(int candidate) {
        Path path = destination.path(earlier, candidate);
        try {
            FileStat stat = isReal(earlier.parent(candidate)) ? FileStat.ofAny(path) : null;
            return stat != null
                            && stat.isFile()
                            && stat.sizeBytes() == earlier.sizeBytes(candidate)
                            && stat.attributes().isSameTime(earlier.attributes(candidate))
                    ? new Found(path, stat)
                    : null;
        } catch (IOException e) {
            LOG.debug("{} is not looked at", path, e);
            return null;
        }
    }
}
