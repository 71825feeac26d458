package org.robber.cli.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;

/** The failures that the nodes of a job have told, and the failure of the whole job once all nodes have ended. Not thread-safe. */
final class FailureSummary {

    private final Map<Integer, Failure> told = new HashMap<>();
    private @Nullable Failure mostTelling;

    /** Why a job failed. */
    record Failure(int exitCode, String message) {}

    /** Adds the reason that a node gave for its end. */
    void add(int rank, int exitCode, String message) {
        Failure failure = new Failure(exitCode, message);
        told.put(rank, failure);
        if (mostTelling == null
                || ExitCodes.rankOf(exitCode) < ExitCodes.rankOf(mostTelling.exitCode)
                || (exitCode == mostTelling.exitCode && rank == 0)) {
            mostTelling = failure;
        }
    }

    /** The reason that a node gave for its end, or null if it gave none. */
    @Nullable
    Failure of(int rank) {
        return told.get(rank);
    }

    /**
     * The failure of a job whose nodes have all ended.
     *
     * @param processes its nodes, by rank
     * @param wentOn whether the job went on without lost nodes: then the failure of rank 0 is returned
     * @param killed nodes that were killed by other processes than this one
     * @param overdue the failure if no node has told one, or null
     * @param remarks receives the warnings for the user
     * @return null if the job has succeeded
     */
    @Nullable
    Failure ofJob(
            List<NodeProcess> processes,
            boolean wentOn,
            List<NodeProcess> killed,
            @Nullable Failure overdue,
            List<String> remarks) {
        NodeProcess root = processes.get(0);
        Failure ofRoot = of(0);
        if (wentOn && ofRoot != null && !killed.contains(root)) {
            killed.forEach(process -> remarks.add(process.death()));
            return ofRoot;
        }
        if (!killed.isEmpty() && root.exitCode() == 0) {
            // rank 0 has heard from every node that its copy is in place
            killed.forEach(process -> remarks.add(process.death() + " when all copies were complete"));
            return null;
        }
        if (!killed.isEmpty()) {
            // that explains whatever the others found out in their own ways
            boolean partial = mostTelling != null && mostTelling.exitCode == Reason.PARTIAL.exitCode();
            Reason reason = partial ? Reason.PARTIAL : Reason.NETWORK;
            return new Failure(reason.exitCode(), killed.get(0).death() + "; run the same command again");
        }
        if (mostTelling != null) {
            return mostTelling;
        }
        if (overdue != null && root.exitCode() == 0) {
            // all copies are in place: a connection is shared with another program, or a node hangs at its end
            remarks.add(overdue.message() + ", when all copies were complete");
            return null;
        }
        if (overdue != null) {
            return overdue;
        }
        List<Integer> codes = new ArrayList<>();
        processes.forEach(process -> codes.add(process.jobCode()));
        int code = ExitCodes.mostTelling(codes);
        return processes.stream()
                .filter(process -> process.jobCode() == code && code != 0)
                .findFirst()
                .map(process -> new Failure(code, process.end(" without a reason")))
                .orElse(null);
    }
}
