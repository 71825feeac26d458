package org.robber.core.peer;

/**
 * How far two peers are with the end: each sends {@code done} when it possesses everything, and {@code stop} once both have sent
 * {@code done}. So a stop is sent or received only after both dones.
 */
public final class EndHandshake {
    private boolean doneSent;
    private boolean doneReceived;
    private boolean stopSent;
    private boolean stopReceived;

    EndHandshake() {}

    /** Notes that {@code done} was sent. */
    public void doneSent() {
        doneSent = true;
    }

    /** Notes that {@code done} came; returns whether it came for the first time, as it must. */
    public boolean doneReceived() {
        boolean isFirst = !doneReceived;
        doneReceived = true;
        return isFirst;
    }

    /** Notes that {@code stop} was sent. */
    public void stopSent() {
        stopSent = true;
    }

    /** Notes that {@code stop} came; returns whether both were done before, as they must. */
    public boolean stopReceived() {
        stopReceived |= areBothDone();
        return stopReceived;
    }

    /** Whether both possess everything. */
    public boolean areBothDone() {
        return doneSent && doneReceived;
    }

    /** Whether the peer possesses everything. */
    public boolean isPeerDone() {
        return doneReceived;
    }

    /** Whether the peer said that it will send no more. */
    public boolean hasPeerStopped() {
        return stopReceived;
    }

    /** Whether we said that we will send no more. */
    public boolean isPeerToldToStop() {
        return stopSent;
    }

    /** Whether nothing more will be sent in either direction. */
    public boolean isOver() {
        return stopSent && stopReceived;
    }

    void clear() {
        doneSent = false;
        doneReceived = false;
        stopSent = false;
        stopReceived = false;
    }
}
