package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.emulation.scenario.NicScope;

/** Stages of a node itself; null for no limit. */
record NodeLines(
        int cluster,
        NicScope nic,
        double up,
        double down,
        @Nullable Stage cardUp,
        @Nullable Stage cardDown,
        @Nullable Stage lanUp,
        @Nullable Stage lanDown,
        @Nullable Stage sendLimit,
        @Nullable Stage wanSendLimit) {

    /** Limits both directions of the card to this rate, or to its own if that is less. */
    void slowDown(double bytesPerSecond, long queueNanos) {
        if (cardUp != null) {
            cardUp.setRate(Math.min(up, bytesPerSecond), queueNanos);
        }
        if (cardDown != null) {
            cardDown.setRate(Math.min(down, bytesPerSecond), queueNanos);
        }
    }

    boolean areUnlimited() {
        return cardUp == null
                && cardDown == null
                && lanUp == null
                && lanDown == null
                && sendLimit == null
                && wanSendLimit == null;
    }
}
