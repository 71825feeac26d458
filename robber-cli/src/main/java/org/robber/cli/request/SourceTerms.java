package org.robber.cli.request;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.filter.Selection;

/**
 * What a job copies.
 *
 * @param paths as the user wrote them: a slash at the end counts; at least one. If several nodes have parts, {@code {rank}} and the
 *     like differ between them, as in a destination
 * @param selection what of them
 * @param roots ranks of the nodes that have them, each a part of it; at least one, in ascending order
 */
public record SourceTerms(List<String> paths, Selection selection, ImmutableList<Integer> roots) {
    public SourceTerms {
        paths = List.copyOf(paths);
    }

    /** The first path; a stream is the only one. */
    public String first() {
        return paths.get(0);
    }

    /** Whether this node has the source, or a part of it. */
    public boolean isRoot(int rank) {
        return roots.contains(rank);
    }

    /** Whether only rank 0 has it. */
    public boolean isAtRankZero() {
        return roots.equals(ImmutableList.of(0));
    }

    /** Whether several nodes have parts. */
    public boolean isStriped() {
        return roots.size() > 1;
    }

    /** The nodes that have all of it. */
    public ImmutableList<Integer> fullRoots() {
        return isStriped() ? ImmutableList.of() : roots;
    }

    /** The same on a host, as the user has named that. */
    SourceTerms onHost(String host) {
        return new SourceTerms(paths(path -> DestinationPattern.ofHost(path, host)), selection, roots);
    }

    /** The same at the nodes with the lowest ranks, and with other paths. */
    public SourceTerms atLowestRanks(List<String> otherPaths) {
        return new SourceTerms(
                otherPaths, selection, ContiguousSet.closedOpen(0, roots.size()).asList());
    }

    /** The paths as this node reads them. */
    public List<String> pathsAt(Communicator world) {
        return paths(path -> DestinationPattern.resolve(path, world));
    }

    /** The paths as a node of this machine reads them. */
    public List<String> pathsAt(int rank, String cluster, String node) {
        return paths(path -> DestinationPattern.resolve(path, rank, cluster, node));
    }

    /** One node has its source where the user says; the places of several may have to be resolved. */
    private List<String> paths(UnaryOperator<String> resolved) {
        return isStriped() ? paths.stream().map(resolved).toList() : paths;
    }

    /**
     * Refuses a root that no node is.
     *
     * @param nodes how many there are
     * @throws RobberException with {@code USAGE}
     */
    public void check(int nodes) {
        for (int root : roots) {
            if (root >= nodes) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(),
                        "launch",
                        "--root=" + rootsText() + ": there is no node " + root + ", ranks are 0 to " + (nodes - 1));
            }
        }
    }

    /** The roots as in the option. */
    public String rootsText() {
        return roots.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** All paths, for people to read. */
    public String text() {
        return String.join(" ", paths);
    }
}
