package org.robber.transport.link;

/**
 * Notices that a peer owes pieces and sends nothing, not even a part of one; that it says that it is alive doesn't count. Slowness is no reason.
 * While something of ours is on its way to the peer, our requests may be behind it: then the peer has more time.
 *
 * <p>It is looked a few times in the time that a peer has, and looks are counted, not time: who was stopped itself must not
 * blame others.
 */
final class StallWatch {
    /** How often to look in the time that a peer has. */
    static final int LOOKS = 4;

    /** How many times that, where requests may be behind what we send. */
    private static final int WHILE_SENDING = 4;

    private static final int MOST_PATIENCE = 64;

    private long heardBytes;
    private long sentBytes;
    private int silentLooks;
    private boolean sent;

    /** How many times as long as at first the peer has: its next piece may need so long to be made ready. */
    private int patience = 1;

    /**
     * Looks.
     *
     * @param owes whether the peer has been asked for what has not come, and we listen
     * @param heardBytesNow how much it has sent so far
     * @param sentBytesNow how much of ours has left for it so far
     * @return whether it has stalled; told again after twice as long a silence
     */
    boolean look(boolean owes, long heardBytesNow, long sentBytesNow) {
        if (heardBytesNow != heardBytes) {
            patience = 1;
        }
        if (!owes || heardBytesNow != heardBytes) {
            heardBytes = heardBytesNow;
            silentLooks = 0;
            sent = false;
        } else {
            silentLooks++;
            sent |= sentBytesNow != sentBytes;
        }
        sentBytes = sentBytesNow;
        if (silentLooks <= patience * (sent ? WHILE_SENDING * LOOKS : LOOKS)) {
            return false;
        }
        silentLooks = 0;
        sent = false;
        patience = Math.min(MOST_PATIENCE, 2 * patience);
        return true;
    }
}
