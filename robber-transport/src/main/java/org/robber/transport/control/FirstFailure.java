package org.robber.transport.control;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.core.wire.FieldReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first failure of a job as one node knows it, and the listeners that are called once with it. Not thread-safe. */
public final class FirstFailure {
    private static final Logger LOG = LoggerFactory.getLogger(FirstFailure.class);

    /** How long rank 0 may take to answer which failure was the first; after that, it is this node's own. */
    private static final long CONFIRM_LIMIT_SECONDS = 2;

    private @Nullable RobberException own;
    private @Nullable RobberException failure;
    private final List<Consumer<RobberException>> listeners = new ArrayList<>();

    /** The failure, or null as long as there is none. */
    @Nullable
    public RobberException get() {
        return failure;
    }

    /** Whether this node has reported a failure of its own. */
    public boolean isReported() {
        return own != null;
    }

    /**
     * This node reports a failure, unless there was one before. Rank 0 decides whether it was the first, so that the job fails in the same
     * way everywhere.
     *
     * @param send sends it to rank 0
     * @param loop on which all methods are called
     */
    public void report(RobberException cause, Runnable send, EventLoop loop) {
        if (failure == null && own == null) {
            own = cause;
            send.run();
            var unused = loop.schedule(() -> set(cause), CONFIRM_LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Keeps this failure and calls the listeners, unless there was one before. */
    public void set(RobberException first) {
        if (failure == null) {
            RobberException original = original(first);
            failure = original;
            List<Consumer<RobberException>> called = List.copyOf(listeners);
            listeners.clear();
            called.forEach(listener -> call(listener, original));
        }
    }

    /** This node's own failure comes back on one line and without its cause: returns the one that has it. */
    private RobberException original(RobberException relayed) {
        return own != null && own.reason() == relayed.reason() && asLine(own).equals(asLine(relayed)) ? own : relayed;
    }

    private static String asLine(RobberException failure) {
        return FieldReader.asLine(String.valueOf(failure.getMessage()));
    }

    /** Adds a listener, which is called at once if there is a failure already. */
    public void listen(Consumer<RobberException> listener) {
        if (failure == null) {
            listeners.add(listener);
        } else {
            call(listener, failure);
        }
    }

    /** Removes all listeners. */
    public void forgetListeners() {
        listeners.clear();
    }

    private static void call(Consumer<RobberException> listener, RobberException failure) {
        try {
            listener.accept(failure);
        } catch (RuntimeException e) {
            LOG.error("a listener could not handle the failure: {}", failure.getMessage(), e);
        }
    }
}
