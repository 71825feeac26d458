package org.robber.emulation.simulator.network;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The most that each node sends, as {@code --bwlimit} and {@code --wan-bwlimit} set it.
 *
 * @param bytesPerSecond that a node sends to all peers together, more than 0; infinite for no limit
 * @param wanBytesPerSecond of these, what it sends to other clusters, more than 0; infinite for no limit
 */
public record NodeSendLimits(double bytesPerSecond, double wanBytesPerSecond) {
    /** Nodes send as fast as the network allows. */
    public static final NodeSendLimits NONE = new NodeSendLimits(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    public NodeSendLimits {
        checkArgument(bytesPerSecond > 0, "bytesPerSecond: %s", bytesPerSecond);
        checkArgument(wanBytesPerSecond > 0, "wanBytesPerSecond: %s", wanBytesPerSecond);
    }

    /** The same rates as options give them, where 0 means no limit. */
    public static NodeSendLimits ofOptions(long bytesPerSecond, long wanBytesPerSecond) {
        return new NodeSendLimits(limit(bytesPerSecond), limit(wanBytesPerSecond));
    }

    private static double limit(long bytesPerSecond) {
        return bytesPerSecond == 0 ? Double.POSITIVE_INFINITY : bytesPerSecond;
    }
}
