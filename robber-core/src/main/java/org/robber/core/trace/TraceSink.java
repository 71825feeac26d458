package org.robber.core.trace;

/** Where trace events go, in the order in which they happen. */
@FunctionalInterface
public interface TraceSink {

    void accept(TraceEvent event);

    /** A sink that hands each event to this one and then to the other. */
    default TraceSink and(TraceSink other) {
        return event -> {
            accept(event);
            other.accept(event);
        };
    }
}
