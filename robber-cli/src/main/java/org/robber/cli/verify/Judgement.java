package org.robber.cli.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * The meaning of the states of one copy on all nodes together.
 *
 * @param donor the first node whose copy is right, or -1
 * @param statuses of the nodes, as in the report
 * @param damaged the nodes whose copies are not right
 * @param isDisputed whether nodes differ on which files of it later copies have replaced: then nobody knows whose bytes came last
 */
record Judgement(int donor, List<String> statuses, List<Integer> damaged, boolean isDisputed) {

    /**
     * Judges.
     *
     * @param told the states, by rank
     * @param first rank with a copy
     */
    static Judgement of(List<CopyState> told, int first) {
        int donor = -1;
        for (int rank = told.size() - 1; rank >= first; rank--) {
            donor = told.get(rank).intact() && !told.get(rank).isGone() ? rank : donor;
        }
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
            isDisputed |= donor >= 0 && one.isKnown() && one.isDisputed(told.get(donor));
        }
        return new Judgement(donor, statuses, damaged, isDisputed);
    }
}
