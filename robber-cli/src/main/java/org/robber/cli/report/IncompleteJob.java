package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException.Reason;
import org.robber.cli.report.JobReport.Failure;
import org.robber.cli.report.JobReport.Skipped;

/**
 * The failure of a job that went on to its end without some nodes or files.
 *
 * @param world the nodes of the job
 * @param roots nodes that had all data before
 * @param fewest how many nodes must be complete, or 0 if nobody has said
 * @param absent nodes that could not be started
 */
record IncompleteJob(Communicator world, Set<Integer> roots, int fewest, List<AbsentNode> absent) {

    private static final int MOST_NAMED = 8;

    /**
     * The failure of the job.
     *
     * @param results of all nodes, by rank
     * @param skipped files of the source that no node has
     * @return null if every node has everything
     */
    @Nullable
    Failure failure(List<NodeResult> results, List<Skipped> skipped) {
        Map<Integer, NodeFailure> failures = new TreeMap<>();
        for (int rank = 0; rank < results.size(); rank++) {
            NodeFailure failure = results.get(rank).failure();
            if (failure != null) {
                failures.put(rank, failure);
            }
        }
        if (!failures.isEmpty() || !absent.isEmpty()) {
            List<Integer> failed = List.copyOf(failures.keySet());
            NodeFailure first = failures.isEmpty()
                    ? absent.get(0).failure()
                    : failures.values().iterator().next();
            int incomplete = failed.size() + absent.size();
            boolean isForNothing = isForNothing(failures, results.size());
            return new Failure(
                    reason(failures, results.size() - failed.size(), isForNothing),
                    failed,
                    first.phase(),
                    incomplete + " of " + (results.size() + absent.size()) + " nodes "
                            + (incomplete == 1 ? "is" : "are") + " not known to be complete: " + names(failed)
                            + "; the first, during '" + first.phase() + "': " + first.message(),
                    isForNothing);
        }
        if (!skipped.isEmpty()) {
            return new Failure(
                    Reason.PARTIAL,
                    List.of(),
                    "scan",
                    "all nodes are complete but for " + skipped.size() + " skipped: " + first(skipped),
                    /* isForNothing= */ false);
        }
        return null;
    }

    /** The reason of a job in which some nodes failed and so many are complete. */
    private Reason reason(Map<Integer, NodeFailure> failures, int complete, boolean isForNothing) {
        if (failures.values().stream().anyMatch(failure -> failure.reason() == Reason.DEADLINE)) {
            return Reason.DEADLINE;
        }
        if (complete == 0 || isForNothing) {
            Set<Reason> reasons =
                    failures.values().stream().map(NodeFailure::reason).collect(Collectors.toSet());
            // A reason that all have in common says most.
            return reasons.size() == 1 ? reasons.iterator().next() : Reason.NETWORK;
        }
        return complete < fewest ? Reason.NETWORK : Reason.PARTIAL;
    }

    /** Whether only nodes are complete that had the data before, and no other can be. A number that the user asked for decides alone. */
    private boolean isForNothing(Map<Integer, NodeFailure> failures, int nodes) {
        return fewest == 0
                && !failures.isEmpty()
                && IntStream.range(0, nodes).allMatch(rank -> failures.containsKey(rank) || roots.contains(rank))
                && failures.values().stream().noneMatch(NodeFailure::isInDoubt);
    }

    private String names(List<Integer> ranks) {
        List<String> names = new ArrayList<>();
        ranks.forEach(
                rank -> names.add(world.nodeName(rank) + " (rank " + rank + ", host " + world.hostName(rank) + ")"));
        absent.forEach(node -> names.add(node.host() + " (not started)"));
        String named = names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMED ? named + " and " + (names.size() - MOST_NAMED) + " more" : named;
    }

    private static String first(List<Skipped> skipped) {
        Skipped one = skipped.get(0);
        return one.path() + " (" + one.reason() + ")" + (skipped.size() > 1 ? " and others" : "");
    }
}
