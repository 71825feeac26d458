package org.robber.transport.job;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.PeerLink;

/** What a connection tells beyond a single multicast. */
final class LinkWatch implements PeerLink.Listener {
    /**
     * A broken connection is told only after this: a node that failed tells the reason itself, and its reason, not the
     * connection that it takes down with it, is what users should read.
     */
    private static final long LOST_LINK_GRACE_MILLIS = 1000;

    private final JobMeans means;
    private final BooleanSupplier closing;
    private final Supplier<String> phase;

    /**
     * @param closing whether the end of a connection is what everyone expects
     * @param phase what the channel is doing
     */
    LinkWatch(JobMeans means, BooleanSupplier closing, Supplier<String> phase) {
        this.means = means;
        this.closing = closing;
        this.phase = phase;
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        means.assembly()
                .fail(new RobberException(
                        Reason.USAGE,
                        List.of(means.rank(), link.rank()),
                        "multicast",
                        means.describe(means.rank()) + " began " + ours + ", but " + means.describe(link.rank())
                                + " began " + theirs + ": every node must make the same calls"));
    }

    @Override
    public void lost(PeerLink link, String why) {
        if (!closing.getAsBoolean()) {
            link.channel()
                    .eventLoop()
                    .schedule(
                            () -> means.assembly()
                                    .fail(means.failure(
                                            Reason.NETWORK,
                                            link.rank(),
                                            phase.get(),
                                            why + " as seen by rank " + means.rank())),
                            LOST_LINK_GRACE_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }
}
