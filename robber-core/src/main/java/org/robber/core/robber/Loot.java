package org.robber.core.robber;

/** How much a victim gives up. */
final class Loot {

    private Loot() {}

    /**
     * Pieces that a victim gives up: the smaller half of its remaining own work, as published. Half of one piece would be
     * none, and a slow node would keep everybody waiting for its last piece; so a single piece goes to a thief that has
     * stolen more than the victim, and to no other.
     *
     * <p>That cannot go on for ever without a piece being stolen: a loot of half leaves one more member with work than
     * before, and a single piece moves to a member that has stolen strictly more. Each of both happens at most as often
     * as the cluster has members before somebody makes real progress.
     *
     * @param workPieces the victim's remaining own work
     * @param victimCanWork whether the victim has anybody outside to steal from; if not, it gives up everything
     * @param victimStole pieces that the victim received from other clusters so far
     * @param thiefStole pieces that the thief received from other clusters so far
     */
    static int size(int workPieces, boolean victimCanWork, int victimStole, int thiefStole) {
        if (!victimCanWork) {
            return workPieces;
        }
        if (workPieces == 1) {
            return thiefStole > victimStole ? 1 : 0;
        }
        return workPieces / 2;
    }
}
