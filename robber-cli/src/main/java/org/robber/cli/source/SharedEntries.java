package org.robber.cli.source;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.SameEntries;

/** Entries of one path in parts of a source that several nodes have. Directories become one; of anything else, nobody could say which of the two is right. */
public final class SharedEntries {
    private SharedEntries() {}

    /**
     * Looks for files and links of one path.
     *
     * @param parts of the source
     * @param roots ranks of the nodes that have them
     * @param name of a node, by its rank
     * @throws RobberException with {@code SOURCE} if there are any
     */
    public static void check(List<Manifest> parts, List<Integer> roots, IntFunction<String> name) {
        for (int part = 1; part < parts.size(); part++) {
            for (int before = 0; before < part; before++) {
                String path = shared(parts.get(before), parts.get(part));
                if (path != null) {
                    List<Integer> both = List.of(roots.get(before), roots.get(part));
                    throw new RobberException(
                            Reason.SOURCE,
                            both,
                            "manifest",
                            path + " is at " + name.apply(both.get(0)) + " and at " + name.apply(both.get(1))
                                    + ": a path may be in one part only, unless it is a directory in both");
                }
            }
        }
    }

    private static @Nullable String shared(Manifest first, Manifest second) {
        int[] same = SameEntries.ofPath(second, first);
        for (int entry = 0; entry < same.length; entry++) {
            boolean isShared = same[entry] >= 0
                    && (first.kind(same[entry]) != EntryKind.DIRECTORY || second.kind(entry) != EntryKind.DIRECTORY);
            if (isShared) {
                return second.pathText(entry);
            }
        }
        return null;
    }
}
