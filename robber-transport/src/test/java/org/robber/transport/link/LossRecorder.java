package org.robber.transport.link;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.robber.core.protocol.Message.Begin;

/** Records why connections are lost. Nothing else may happen to them. Thread-safe. */
final class LossRecorder implements LinkListener {
    private final List<String> losses = new CopyOnWriteArrayList<>();

    /** The reasons so far, in their order. */
    List<String> losses() {
        return losses;
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        throw new AssertionError("mismatch");
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        losses.add(why + (mayReturn ? ", may return" : ""));
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        throw new AssertionError(why);
    }
}
