package org.robber.cli.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * The meaning of the states of one copy on all nodes together.
 *
 * @param donor the first node whose copy is right and the same as that which was recorded last, or -1
 * @param statuses of the nodes, as in the report
 * @param damaged the nodes whose copies are not right
 * @param isDisputed whether another copy may be newer than that of the donor
 */
record Judgement(int donor, List<String> statuses, List<Integer> damaged, boolean isDisputed) {

    /**
     * Judges.
     *
     * @param told the states, by rank
     * @param first rank with a copy
     */
    static Judgement of(List<CopyState> told, int first) {
        int donor = donor(told, first);
        List<String> statuses = new ArrayList<>();
        List<Integer> damaged = new ArrayList<>();
        boolean isDisputed = false;
        for (int rank = first; rank < told.size(); rank++) {
            CopyState one = told.get(rank);
            boolean another = donor >= 0 && one.intact() && !one.isSame(told.get(donor));
            String status = another ? "different" : one.status();
            statuses.add(status);
            if (!status.equals("right") && !status.equals("replaced")) {
                damaged.add(rank);
            }
            isDisputed |= donor >= 0 && one.isKnown() && one.mayBeNewerThan(told.get(donor));
        }
        return new Judgement(donor, statuses, damaged, isDisputed);
    }

    /** A node may have missed the last run: its copy is right by its own record, and older than others. */
    private static int donor(List<CopyState> told, int first) {
        CopyState last = null;
        for (CopyState one : told.subList(first, told.size())) {
            if (mayDonate(one) && (last == null || one.recordedNanos() > last.recordedNanos())) {
                last = one;
            }
        }
        for (int rank = first; last != null && rank < told.size(); rank++) {
            if (mayDonate(told.get(rank)) && told.get(rank).isSame(last)) {
                return rank;
            }
        }
        return -1;
    }

    private static boolean mayDonate(CopyState state) {
        return state.intact() && !state.isGone();
    }
}
