package org.robber.transport.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failure that counts, and who wants to know of it. Not thread-safe. */
public final class FirstFailure {
    private static final Logger LOG = LoggerFactory.getLogger(FirstFailure.class);

    private @Nullable RobberException failure;
    private final List<Consumer<RobberException>> listeners = new ArrayList<>();

    /** The failure, or null as long as there is none. */
    @Nullable
    public RobberException get() {
        return failure;
    }

    /** Keeps this failure and tells of it, unless there was one before. */
    public void set(RobberException first) {
        if (failure == null) {
            failure = first;
            List<Consumer<RobberException>> told = List.copyOf(listeners);
            listeners.clear();
            told.forEach(listener -> tell(listener, first));
        }
    }

    /** Tells this one once, now or later. */
    public void listen(Consumer<RobberException> listener) {
        if (failure == null) {
            listeners.add(listener);
        } else {
            tell(listener, failure);
        }
    }

    /** Tells this one no more. */
    public void forget(Consumer<RobberException> listener) {
        listeners.remove(listener);
    }

    /** Tells none of those that have listened so far. */
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
