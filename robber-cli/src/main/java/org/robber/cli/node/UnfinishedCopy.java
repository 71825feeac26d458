package org.robber.cli.node;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.storage.copy.TreeTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the half-written copies, so that any thread can leave them for the next run: the main thread, or that of the deadline, a
 * signal or the end of the launcher. Thread-safe.
 */
public final class UnfinishedCopy {

    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedCopy.class);

    private final Deque<Target> targets = new ArrayDeque<>();
    private boolean closed;
    private boolean trusted = true;

    /** A half-written copy. */
    @FunctionalInterface
    public interface Target {
        /**
         * Ends it, unless it is complete.
         *
         * @param trusted whether to leave what the next run can use; else it is removed
         */
        void end(boolean trusted) throws IOException;
    }

    /** From now on this must be ended, too; at once if everything ends already. */
    public synchronized void hold(Target target) {
        targets.push(target);
        if (closed) {
            close();
        }
    }

    /** As {@link #hold(Target)}. */
    public void hold(TreeTarget tree) {
        hold(right -> {
            if (right) {
                tree.close();
            } else {
                tree.discard();
            }
        });
    }

    /** Ends what was held last, because another copy takes its place. */
    public synchronized void letGo() {
        // When everything ends already, nothing is held any more.
        if (!targets.isEmpty()) {
            end(targets.pop());
        }
    }

    /** The received data differ from the source: {@link #close} removes them. */
    synchronized void distrust() {
        trusted = false;
    }

    /** The transfer has failed: what has come is distrusted if the next run would find it to be wrong again. */
    public void failed(RobberException failure) {
        if (failure.reason() == Reason.SOURCE_CHANGED || failure.reason() == Reason.INTEGRITY) {
            distrust();
        }
    }

    /** Ends all of them, or goes on if that takes longer, as it does where a disk hangs. The next run can cope with the rest. */
    void closeWithin(long millis) {
        Thread closing = new Thread(this::close, "close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all of them. Idempotent. */
    public synchronized void close() {
        closed = true;
        while (!targets.isEmpty()) {
            end(targets.pop());
        }
    }

    private void end(Target ending) {
        try {
            ending.end(trusted);
        } catch (IOException e) {
            LOG.warn("cannot end a half-written copy well", e);
        }
    }
}
