package org.robber.transport.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds files of an earlier copy that may have another name now, by size, then by time or name. Whether the bytes are the same is
 * for digests to say.
 */
final class MovedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MovedFiles.class);

    private final Manifest earlier;
    private final Destination destination;
    private final Map<Long, List<Integer>> bySize = new HashMap<>();

    /**
     * A file of the earlier copy.
     *
     * @param path where it is
     */
    record Found(Path path, FileStat stat) {}

    MovedFiles(Manifest earlier, Destination destination) {
        this.earlier = earlier;
        this.destination = destination;
        for (int entry = 0; entry < earlier.entryCount(); entry++) {
            if (earlier.kind(entry) == EntryKind.FILE && earlier.sizeBytes(entry) > 0) {
                bySize.computeIfAbsent(earlier.sizeBytes(entry), size -> new ArrayList<>())
                        .add(entry);
            }
        }
    }

    /** The file that this entry may have been before, unchanged since it was copied; null if there is none. */
    @Nullable
    Found find(Manifest manifest, int wanted) {
        List<Integer> candidates = bySize.getOrDefault(manifest.sizeBytes(wanted), List.of());
        for (int candidate : candidates) {
            if (earlier.attributes(candidate).isSameTime(manifest.attributes(wanted))) {
                Found found = look(candidate);
                if (found != null) {
                    return found;
                }
            }
        }
        byte[] name = manifest.name(wanted);
        for (int candidate : candidates) {
            if (candidates.size() == 1 || Arrays.equals(earlier.name(candidate), name)) {
                return look(candidate);
            }
        }
        return null;
    }

    private @Nullable Found look(int candidate) {
        Path path = destination.path(earlier, candidate);
        try {
            FileStat stat = FileStat.ofAny(path);
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
