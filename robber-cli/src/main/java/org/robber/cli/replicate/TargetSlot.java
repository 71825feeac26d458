package org.robber.cli.replicate;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the half-written copy, so that it can be removed by whoever ends this node first: its main thread, the deadline, a
 * signal, the end of the launcher. Thread-safe.
 */
final class TargetSlot {

    private static final Logger LOG = LoggerFactory.getLogger(TargetSlot.class);

    private @Nullable Closeable target;
    private boolean closed;

    /** From now on this is what must be removed; at once if everything ends already. */
    synchronized void hold(Closeable target) {
        this.target = target;
        if (closed) {
            close();
        }
    }

    /** Removes it, unless it is complete. Idempotent. */
    synchronized void close() {
        closed = true;
        if (target == null) {
            return;
        }
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("cannot remove a half-written copy", e);
        }
        target = null;
    }
}
