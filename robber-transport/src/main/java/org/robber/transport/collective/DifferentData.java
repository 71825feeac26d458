package org.robber.transport.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** The check of calls in which several members must have the same data. */
final class DifferentData {
    private DifferentData() {}

    /**
     * Compares the data, or their digests, of all members that have any.
     *
     * @param ofRanks empty for members that have none
     * @throws RobberException if they differ
     */
    static void check(String call, List<byte[]> ofRanks) {
        List<Integer> different = new ArrayList<>();
        byte[] first = new byte[0];
        for (int rank = 0; rank < ofRanks.size(); rank++) {
            byte[] own = ofRanks.get(rank);
            first = first.length == 0 ? own : first;
            if (own.length > 0 && !Arrays.equals(own, first)) {
                different.add(rank);
            }
        }
        if (!different.isEmpty()) {
            throw new RobberException(
                    Reason.INTEGRITY,
                    different,
                    call,
                    call + ": the data of ranks " + different
                            + " differ from those of the other ranks; roots must have"
                            + " the same data before the call");
        }
    }
}
