package org.robber.transport.collective.member;

/** How far a call is at this node. Thread-safe. */
public final class CallProgress {
    private volatile double share;

    /** So many of these bytes are done. */
    public void done(long bytes, long totalBytes) {
        share = totalBytes == 0 ? 1 : Math.min(1, (double) bytes / totalBytes);
    }

    /** 0 to 1. */
    public double share() {
        return share;
    }
}
