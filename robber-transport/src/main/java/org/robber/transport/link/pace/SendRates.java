package org.robber.transport.link.pace;

import java.util.ArrayList;
import java.util.List;
import org.robber.SendLimits;
import org.robber.transport.link.pace.SendRate.SharedLimit;

/** The limits of one node for sending pieces, shared by all its connections. Immutable. */
public final class SendRates {
    private final SendRate local;
    private final SendRate wan;

    /** With limits of its own: they are not shared with other objects made from the same options. */
    public SendRates(SendLimits limits) {
        List<SharedLimit> shared = new ArrayList<>();
        if (limits.bytesPerSecond() > 0) {
            shared.add(new SharedLimit(limits.bytesPerSecond()));
        }
        this.local = SendRate.of(shared, limits.yields());
        if (limits.wanBytesPerSecond() > 0) {
            shared.add(new SharedLimit(limits.wanBytesPerSecond()));
        }
        this.wan = SendRate.of(shared, limits.yields());
    }

    /** The limit for a connection to a node of the same cluster, or of another. */
    public SendRate to(boolean sameCluster) {
        return sameCluster ? local : wan;
    }
}
