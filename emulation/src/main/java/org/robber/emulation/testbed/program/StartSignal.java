package org.robber.emulation.testbed.program;

import com.google.common.base.Preconditions;

/**
 * How the start of a transfer, from which phases count, is detected: by a line {@code {"schema":1,"type":"started"}} that some node
 * writes to standard output or standard error, or by the bytes that have crossed between clusters.
 *
 * @param crossedBytes this many bytes since the start of the programs count as the start, too; at least 1
 */
public record StartSignal(long crossedBytes) {

    /** More than greetings and addresses, less than any data worth a measurement. */
    private static final long DATA_BYTES = 1 << 20;

    public StartSignal {
        Preconditions.checkArgument(crossedBytes >= 1, "crossedBytes: %s", crossedBytes);
        // Loads the parser, or the line would be understood a tenth of a second after it came.
        Preconditions.checkState(
                EventLine.parse("{\"schema\":1,\"type\":\"started\"}").isPresent());
    }

    /** By a line alone. */
    public static StartSignal event() {
        return new StartSignal(Long.MAX_VALUE);
    }

    /** By a line or by the first mebibyte, whichever comes first. */
    public static StartSignal eventOrData() {
        return new StartSignal(DATA_BYTES);
    }

    /** Whether bytes may tell of the start, too. */
    boolean isByData() {
        return crossedBytes < Long.MAX_VALUE;
    }

    boolean isIn(String line) {
        return EventLine.parse(line)
                .map(event -> event.type().equals(EventLine.STARTED))
                .orElse(false);
    }
}
