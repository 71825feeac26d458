package org.robber.transport.collective.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.meeting.Group;

/** The check of calls in which several members must have the same data. */
public final class DifferentData {
    private DifferentData() {}

    /**
     * Compares the data, or their digests, of all members that have any.
     *
     * @param ofMembers empty for members that have none
     * @param group the members, for their ranks in the job
     * @throws RobberException if they differ
     */
    public static void check(String call, List<byte[]> ofMembers, Group group) {
        List<Integer> different = new ArrayList<>();
        byte[] first = new byte[0];
        for (int member = 0; member < ofMembers.size(); member++) {
            byte[] own = ofMembers.get(member);
            first = first.length == 0 ? own : first;
            if (own.length > 0 && !Arrays.equals(own, first)) {
                different.add(group.rank(member));
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
