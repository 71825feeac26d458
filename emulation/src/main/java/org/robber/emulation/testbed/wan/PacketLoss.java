package org.robber.emulation.testbed.wan;

import org.robber.core.random.SeededRandom;

/** Draws which packets of a link are lost; the same seed, the same packets. */
final class PacketLoss {

    private final SeededRandom random;
    private double share;

    PacketLoss(long seed, int link) {
        random = SeededRandom.forUse(seed, link);
    }

    /** Changes the share that is lost, from 0 up to, not including, 1. */
    void change(double newShare) {
        share = newShare;
    }

    /** Whether the next packet is lost. */
    boolean strikes() {
        return share > 0 && random.nextDouble() < share;
    }
}
