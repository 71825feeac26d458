package org.robber.core.steal;

import org.robber.core.protocol.Message;
import org.robber.core.tuning.Tuning;

/** Computes how many pieces of its work a victim gives away. */
final class WorkSplit {
    private WorkSplit() {}

    /**
     * The smaller half of the victim's remaining own work, as published. Half of one piece would be none, and all nodes would wait for
     * the last piece of a slow node. So a single piece goes to a thief that has stolen more than the victim, and to no other.
     *
     * <p>That cannot go on for ever without a piece being stolen: giving half away leaves one more member with work than
     * before, and a single piece moves to a member that has stolen strictly more. Each of both happens at most as often
     * as the cluster has members before a piece is stolen.
     *
     * @param workPieces the victim's remaining own work
     * @param victimCanWork whether the victim has a peer outside to steal from; if not, it gives up everything
     * @param victimStole pieces that the victim received from other clusters so far
     * @param thiefStole pieces that the thief received from other clusters so far
     */
    static int half(int workPieces, boolean victimCanWork, int victimStole, int thiefStole) {
        if (!victimCanWork) {
            return workPieces;
        }
        if (workPieces == 1) {
            return thiefStole > victimStole ? 1 : 0;
        }
        return workPieces / 2;
    }

    /**
     * What levels the work of both, so that they come to its end at the same time if each goes on as fast as it was so
     * far. A thief without work gets something as long as there are two pieces, and never everything: as often as with
     * {@link #half}, and for the same reason, it cannot go on for ever. A thief with work gets nothing from a victim that has
     * stolen little: chance decides who gets the first pieces.
     *
     * @param workPieces the victim's remaining own work
     * @param victimCanWork whether the victim has a peer outside to steal from; if not, it gives up everything
     * @param victimStole pieces that the victim received from other clusters so far
     * @param thief what the thief says of itself
     */
    static int bySpeed(int workPieces, boolean victimCanWork, int victimStole, Message.Steal thief) {
        boolean thiefIsIdle = thief.workPieces() == 0;
        if (!victimCanWork || (thiefIsIdle && workPieces < 2)) {
            return half(workPieces, victimCanWork, victimStole, thief.piecesStolen());
        }
        if (!thiefIsIdle && victimStole < Tuning.FEWEST_PIECES_PER_LEVELLING) {
            return 0;
        }
        // A node that has stolen nothing yet is not infinitely slow.
        long victimSpeed = victimStole + 1L;
        long thiefSpeed = thief.piecesStolen() + 1L;
        long kept = ((long) workPieces + thief.workPieces()) * victimSpeed / (victimSpeed + thiefSpeed);
        int surplus = (int) Math.max(0, workPieces - kept);
        if (thiefIsIdle) {
            return Math.max(1, Math.min(surplus, workPieces - 1));
        }
        return surplus > workPieces / Tuning.WORK_PER_UNEVENNESS ? surplus : 0;
    }
}
