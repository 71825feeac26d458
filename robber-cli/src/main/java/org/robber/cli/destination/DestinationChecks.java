package org.robber.cli.destination;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.progress.ByteText;
import org.robber.transport.storage.source.TreeScanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the destinations of all nodes against each other and against the source. */
public final class DestinationChecks {

    private static final Logger LOG = LoggerFactory.getLogger(DestinationChecks.class);
    private static final String PHASE = "prepare";

    private DestinationChecks() {}

    /**
     * Finds two nodes that would write to one place, and nodes that would write into the source.
     *
     * @param facts of all nodes, by rank
     * @param names of all nodes, by rank
     * @param sourceTrees the sources that are folders, without links
     * @param root rank of the node that has the source
     * @param rootKeepsSource whether that writes nothing, because the source is where its copy would go
     * @throws RobberException with {@code USAGE}
     */
    public static void check(
            List<DestinationInfo> facts,
            List<String> names,
            List<Path> sourceTrees,
            int root,
            boolean rootKeepsSource) {
        Map<String, Integer> owners = new HashMap<>();
        for (int rank = 0; rank < facts.size(); rank++) {
            DestinationInfo one = facts.get(rank);
            if (one.isNone()) {
                continue;
            }
            Integer owner = owners.putIfAbsent(one.host() + "\0" + one.path() + "\0" + one.fileKey(), rank);
            if (owner != null && rootKeepsSource && (owner == root || rank == root)) {
                int other = owner == root ? rank : owner;
                throw new RobberException(
                        Reason.USAGE,
                        List.of(other),
                        PHASE,
                        names.get(other) + " would write to " + one.path() + " on " + one.host()
                                + ", where the source is: leave that host out, or choose another DEST");
            }
            if (owner != null) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(owner, rank),
                        PHASE,
                        names.get(owner) + " and " + names.get(rank) + " would both write to " + one.path() + " on "
                                + one.host() + ": put {node}, {cluster} or {rank} into DEST, such as DEST/{node}");
            }
        }
        sourceTrees.forEach(tree -> checkOutside(facts, names, tree, root, rootKeepsSource));
    }

    private static void checkOutside(
            List<DestinationInfo> facts, List<String> names, Path sourceTree, int root, boolean rootKeepsSource) {
        for (int rank = 0; rank < facts.size(); rank++) {
            if ((rank != root || !rootKeepsSource)
                    && facts.get(rank).host().equals(facts.get(root).host())
                    && Path.of(facts.get(rank).path()).startsWith(sourceTree)) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(rank),
                        PHASE,
                        names.get(rank) + " would write to " + facts.get(rank).path() + " on "
                                + facts.get(rank).host() + ", inside the source " + sourceTree
                                + ": choose a DEST outside of SRC");
            }
        }
    }

    /**
     * Why nodes cannot take a copy.
     *
     * @param ranks of these nodes
     * @param text the reason, in words
     */
    public record Problem(List<Integer> ranks, String text) {}

    /**
     * The reasons why nodes cannot take so many bytes.
     *
     * @param missingBytes of the copy of each node, by rank
     * @return empty if all can
     */
    public static List<Problem> problems(List<DestinationInfo> facts, List<String> names, List<Long> missingBytes) {
        List<Problem> problems = new ArrayList<>();
        List<Long> neededBytes = new ArrayList<>();
        for (int rank = 0; rank < facts.size(); rank++) {
            DestinationInfo one = facts.get(rank);
            if (!one.problem().isEmpty()) {
                problems.add(new Problem(List.of(rank), names.get(rank) + " on " + one.host() + ": " + one.problem()));
            }
            neededBytes.add(one.problem().isEmpty() ? missingBytes.get(rank) : 0L);
        }
        for (Shortage shortage : shortages(facts, neededBytes)) {
            problems.add(new Problem(shortage.ranks(), shortage.text(names)));
        }
        return problems;
    }

    /**
     * Finds out whether all that will be written fits, however many nodes share a file system.
     *
     * @param neededBytes what each node will write, by rank
     * @return for each file system that is too small, the nodes it does not fit at, what is needed and what is free
     */
    public static List<RobberException> shortages(
            List<DestinationInfo> facts, List<String> names, List<Long> neededBytes) {
        return shortages(facts, neededBytes).stream()
                .map(shortage -> new RobberException(
                        Reason.DESTINATION,
                        shortage.ranks(),
                        PHASE,
                        "not enough space at " + shortage.text(names) + "; free some, or choose another DEST"))
                .toList();
    }

    private record Shortage(List<Integer> ranks, long neededBytes, DestinationInfo place) {

        private String text(List<String> names) {
            return place.path() + " on " + place.host() + ": " + ByteText.bytes(neededBytes) + " needed by "
                    + (ranks.size() == 1 ? names.get(ranks.get(0)) : ranks.size() + " nodes") + ", "
                    + ByteText.bytes(place.freeBytes()) + " free"
                    + (place.keptBytes() == 0
                            ? ""
                            : " beside the " + ByteText.bytes(place.keptBytes())
                                    + " that must stay free there (keep-free of its daemon)");
        }
    }

    private static List<Shortage> shortages(List<DestinationInfo> facts, List<Long> neededBytes) {
        Map<String, List<Integer>> ranksByStore = new LinkedHashMap<>();
        for (int rank = 0; rank < facts.size(); rank++) {
            if (neededBytes.get(rank) > 0) {
                DestinationInfo one = facts.get(rank);
                ranksByStore
                        .computeIfAbsent(one.host() + " " + one.store(), key -> new ArrayList<>())
                        .add(rank);
            }
        }
        List<Shortage> shortages = new ArrayList<>();
        for (List<Integer> ranks : ranksByStore.values()) {
            long needed = ranks.stream().mapToLong(neededBytes::get).sum();
            // The node that has looked last sees what all others have removed.
            DestinationInfo one = ranks.stream()
                    .map(facts::get)
                    .max(Comparator.comparingLong(DestinationInfo::freeBytes))
                    .orElseThrow();
            if (one.freeBytes() < needed) {
                shortages.add(new Shortage(ranks, needed, one));
            }
        }
        return shortages;
    }

    /** Whether a copy of the source at the destination would be the source itself. */
    public static boolean isSource(String source, String destination) {
        Path from = Path.of(source);
        Path to = Path.of(destination);
        try {
            if (TreeScanner.meansContents(source)) {
                return Files.exists(to) && Files.isSameFile(from, to);
            }
            Path name = from.getFileName();
            Path copy = name != null && Files.isDirectory(to) ? to.resolve(name) : to;
            // A link is copied as a link, and one in the place of the copy is replaced.
            return Objects.equals(fileKey(from), fileKey(copy));
        } catch (IOException e) {
            // the next read or write there tells why
            return false;
        }
    }

    private static @Nullable Object fileKey(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Those of the sources that are folders, without links. */
    public static List<Path> sourceTrees(List<String> sources) {
        return sourcePlaces(sources).stream()
                .filter(place -> Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    /** Where the sources are, without links on the way there. A source that is copied as a link stays one. */
    public static List<Path> sourcePlaces(List<String> sources) {
        List<Path> places = new ArrayList<>();
        for (String source : sources) {
            try {
                places.add(sourcePlace(source));
            } catch (IOException e) {
                LOG.debug("{} cannot be looked at; reading it tells why", source, e);
            }
        }
        return places;
    }

    private static Path sourcePlace(String source) throws IOException {
        Path path = Path.of(source).toAbsolutePath();
        Path parent = path.getParent();
        return parent == null || TreeScanner.meansContents(source)
                ? path.toRealPath()
                : parent.toRealPath().resolve(parent.relativize(path));
    }
}
