package org.robber.transport.link.pace;

/**
 * Notices that a peer owes pieces and sends nothing, not even a part of one. Keep-alives do not count, and slowness is no reason. While
 * this node sends to the peer, the requests may wait behind that, so the peer has more time.
 *
 * <p>The state is checked a few times within the limit, and checks are counted instead of time: a process that was suspended must not
 * blame its peers.
 */
public final class StallWatch {
    /** Checks within the limit. */
    public static final int LOOKS = 4;

    /** Factor for the limit where requests may wait behind pieces that this node sends. */
    private static final int WHILE_SENDING = 4;

    private static final int MOST_PATIENCE = 64;

    private long heardBytes;
    private long sentBytes;
    private int silentLooks;
    private boolean sent;

    /** Factor for the limit, doubled at each stall in a row: the next piece may take long to be read. */
    private int patience = 1;

    /**
     * Checks.
     *
     * @param owes whether requests to the peer are unanswered, and this node reads its connection
     * @param heardBytesNow how much it has sent so far
     * @param sentBytesNow how many bytes of pieces have left for it so far
     * @return whether it has stalled; told again after twice as long a silence
     */
    public boolean look(boolean owes, long heardBytesNow, long sentBytesNow) {
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
