package org.robber.cli.launch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;

/** What the nodes of a job said of their failures, and what to say of the job when all have ended. Not thread-safe. */
final class LastWords {

    private @Nullable Failure mostTelling;
    private @Nullable Failure ofRoot;

    /** Why a job failed. */
    record Failure(int exitCode, String message) {}

    /** A node says why it ends. */
    void add(int rank, int exitCode, String message) {
        Failure failure = new Failure(exitCode, message);
        if (rank == 0) {
            ofRoot = failure;
        }
        if (mostTelling == null
                || ExitCodes.rankOf(exitCode) < ExitCodes.rankOf(mostTelling.exitCode)
                || (exitCode == mostTelling.exitCode && rank == 0)) {
            mostTelling = failure;
        }
    }

    /**
     * What to say of a job whose nodes have all ended.
     *
     * @param children its nodes, by rank
     * @param wentOn whether the job went on without nodes that were lost: then rank 0 knows best
     * @param killed nodes that were killed, by others than this process
     * @param overdue what to say if nobody has said anything, or null
     * @param remarks gets what is worth a remark
     * @return null if all is well
     */
    @Nullable
    Failure verdict(
            List<Child> children, boolean wentOn, List<Child> killed, @Nullable Failure overdue, List<String> remarks) {
        Child root = children.get(0);
        if (wentOn && ofRoot != null && !killed.contains(root)) {
            killed.forEach(child -> remarks.add(death(child)));
            return ofRoot;
        }
        if (!killed.isEmpty() && root.exitCode() == 0) {
            // rank 0 has heard from every node that its copy is in place
            killed.forEach(child -> remarks.add(death(child) + " when all copies were complete"));
            return null;
        }
        if (!killed.isEmpty()) {
            // that explains whatever the others found out in their own ways
            boolean partial = mostTelling != null && mostTelling.exitCode == Reason.PARTIAL.exitCode();
            Reason reason = partial ? Reason.PARTIAL : Reason.NETWORK;
            return new Failure(reason.exitCode(), death(killed.get(0)) + "; run the same command again");
        }
        if (mostTelling != null) {
            return mostTelling;
        }
        if (overdue != null) {
            return overdue;
        }
        List<Integer> codes = new ArrayList<>();
        children.forEach(child -> codes.add(child.exitCode()));
        int code = ExitCodes.mostTelling(codes);
        return code == 0 ? null : new Failure(code, "a node ended without saying why; see above");
    }

    private static String death(Child child) {
        return child.label() + ", process " + child.processId() + ", was killed by signal " + child.signal();
    }
}
