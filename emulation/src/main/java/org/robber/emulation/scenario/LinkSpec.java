package org.robber.emulation.scenario;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One direction of a wide-area link.
 *
 * @param bytesPerSecond its rate, 0 (nothing passes) or more
 * @param delayNanos one-way delay, 0 or more
 * @param loss share of packets that are lost, from 0 up to, not including, 1
 */
public record LinkSpec(double bytesPerSecond, long delayNanos, double loss) {
    public LinkSpec {
        checkArgument(bytesPerSecond >= 0, "bytesPerSecond: %s", bytesPerSecond);
        checkArgument(delayNanos >= 0, "delayNanos: %s", delayNanos);
        checkArgument(loss >= 0 && loss < 1, "loss: %s", loss);
    }
}
