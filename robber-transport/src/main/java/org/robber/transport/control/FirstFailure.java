package org.robber.transport.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first failure, and the listeners that are told of it once. Not thread-safe. */
public final class FirstFailure {
    private static final Logger LOG = LoggerFactory.getLogger(FirstFailure.class);

    private @Nullable RobberException failure;
    private final List<Consumer<RobberException>> listeners = new ArrayList<>();

    /** The failure, or null as long as there is none. */
    @Nullable
    public RobberException get() {
        return failure;
    }

    /** Keeps this failure and tells the listeners, unless there was one before. */
    public void set(RobberException first) {
        if (failure == null) {
            failure = first;
            List<Consumer<RobberException>> told = List.copyOf(listeners);
            listeners.clear();
            told.forEach(listener -> tell(listener, first));
        }
    }

    /** Adds a listener, which is told at once if there is a failure already. */
    public void listen(Consumer<RobberException> listener) {
        if (failure == null) {
            listeners.add(listener);
        } else {
            tell(listener, failure);
        }
    }

    /** Removes a listener. */
    public void forget(Consumer<RobberException> listener) {
        listeners.remove(listener);
    }

    /** Removes all listeners. */
    public void forgetListeners() {
        listeners.clear();
    }

    private static void tell(Consumer<RobberException> listener, RobberException failure) {
        try {
            listener.accept(failure);
        } catch (RuntimeException e) {
            LOG.error("a listener could not be told of: {}", failure.getMessage(), e);
        }
    }
}
