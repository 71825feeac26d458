package org.robber.cli.plan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.filter.PathRules;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.Root;
import org.robber.cli.source.SourceInfo;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.ExtraEntries;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.file.RawPaths;

/** What {@code --delete} removes from a destination, and what it must never remove. */
public final class Deletion {

    private Deletion() {}

    /** What may be removed; null if nothing may. */
    public static @Nullable EntryFilter filter(ReplicateRequest request, SourceInfo facts) {
        return request.source().selection().deletes() && facts.whole() ? PathRules.of(facts.rules()) : null;
    }

    /**
     * Finds nodes that would remove the source, or all of their machine.
     *
     * @param facts of all nodes, by rank
     * @param names of all nodes, by rank
     * @param place of the source on its machine, as {@code DestinationChecks.sourcePlaces} tells it
     * @param source rank of the node that has it
     * @throws RobberException with {@code USAGE}
     */
    public static void check(List<DestinationInfo> facts, List<String> names, Path place, int source, Root root) {
        for (int rank = 0; rank < facts.size(); rank++) {
            DestinationInfo one = facts.get(rank);
            if (one.isNone() || (rank == source && root.keepsSource())) {
                continue;
            }
            for (Path cleaned : cleaned(Path.of(one.path()), root)) {
                boolean holdsSource = one.host().equals(facts.get(source).host()) && place.startsWith(cleaned);
                if (holdsSource || cleaned.getNameCount() == 0) {
                    throw new RobberException(
                            Reason.USAGE,
                            List.of(rank),
                            "prepare",
                            "--delete would remove " + (holdsSource ? "the source " + place : "all of the machine")
                                    + " on " + names.get(rank) + ", since it cleans " + cleaned
                                    + ": choose another DEST");
                }
            }
        }
    }

    /** The directories in which all is removed that the source does not have. */
    private static List<Path> cleaned(Path destination, Root root) {
        Manifest manifest = root.manifest();
        if (manifest.isRooted()) {
            return List.of(destination);
        }
        List<Path> cleaned = new ArrayList<>();
        for (int entry = 0; entry < manifest.entryCount(); entry = manifest.subtreeEnd(entry)) {
            if (manifest.kind(entry) == EntryKind.DIRECTORY) {
                cleaned.add(RawPaths.resolve(destination, manifest.path(entry)));
            }
        }
        return cleaned;
    }

    /** The entries of a destination that would be removed. */
    public static List<String> extras(Path destination, Manifest manifest, EntryFilter filter) {
        List<String> extras = new ArrayList<>();
        if (Files.isDirectory(destination)) {
            new ExtraEntries(destination, manifest, filter).list(extras::add);
        }
        return extras;
    }
}
