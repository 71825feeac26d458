package org.robber.core.trace;

/**
 * A 64-bit hash of a trace: equal traces have equal hashes on every JDK and machine. It shows that two runs differ. It is not a
 * cryptographic hash.
 */
public final class TraceHash implements TraceSink {
    private static final long OFFSET = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private long hash = OFFSET;

    @Override
    public void accept(TraceEvent event) {
        add(event.atNanos());
        add(event.rank());
        add(event.kind().code());
        add(event.peer());
        add(event.message() == null ? 0 : event.message().code());
        add(event.value());
    }

    /** The hash of all events so far. */
    public long value() {
        return hash;
    }

    /** FNV-1a over whole words, with the high half folded down so that it counts in the next step, too. */
    private void add(long word) {
        hash = (hash ^ word) * PRIME;
        hash ^= hash >>> 32;
    }
}
