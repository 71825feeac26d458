package org.robber.cli.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
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

    /** Of the names that all nodes together tell rank 0, which hears a mebibyte at most. */
    private static final int MOST_TOLD_BYTES = 900_000;

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

    /**
     * Brings the entries that nodes would remove to rank 0.
     *
     * @param mine those of this node
     * @return at rank 0 lines with the node's name before each; elsewhere nothing
     */
    public static List<String> gather(Communicator world, List<String> mine) {
        StringBuilder told = new StringBuilder();
        int fits = MOST_TOLD_BYTES / world.size();
        int count = 0;
        for (String line : mine) {
            fits -= line.getBytes(UTF_8).length + 1;
            if (fits < 0) {
                told.append("and ").append(mine.size() - count).append(" more\n");
                break;
            }
            told.append(line).append('\n');
            count++;
        }
        List<byte[]> all = world.control().gather(told.toString().getBytes(UTF_8));
        List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            String name = world.nodeName(rank);
            new String(all.get(rank), UTF_8).lines().forEach(line -> lines.add(name + ": " + line));
        }
        return lines;
    }
}
