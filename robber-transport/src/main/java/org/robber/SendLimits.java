package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How fast one node sends pieces, and the personal messages of calls without pieces, over all its connections together. Their bytes count, before they are encrypted; messages between
 * nodes, the heads of blocks and what the network adds do not.
 *
 * @param bytesPerSecond to all nodes; 0: no limit
 * @param wanBytesPerSecond to nodes of other clusters, which count for the first limit, too; 0: no limit
 * @param yields whether each connection to another machine leaves the line to other traffic; Linux only
 */
public record SendLimits(long bytesPerSecond, long wanBytesPerSecond, boolean yields) {
    private static final SendLimits NONE = new SendLimits(0, 0);

    public SendLimits {
        checkArgument(bytesPerSecond >= 0, "bytesPerSecond: %s", bytesPerSecond);
        checkArgument(wanBytesPerSecond >= 0, "wanBytesPerSecond: %s", wanBytesPerSecond);
    }

    /** Limits without regard to other traffic. */
    public SendLimits(long bytesPerSecond, long wanBytesPerSecond) {
        this(bytesPerSecond, wanBytesPerSecond, /* yields= */ false);
    }

    /** As fast as the network takes it. */
    public static SendLimits none() {
        return NONE;
    }
}
