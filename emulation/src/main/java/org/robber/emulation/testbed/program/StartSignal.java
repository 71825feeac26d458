package org.robber.emulation.testbed.program;

import com.google.common.base.Preconditions;

/**
 * How the start of a transfer is known, from which phases count: by a line that some node writes to standard output or standard
 * error, or, with programs that say nothing, by what has crossed between clusters.
 *
 * @param line text within the line; empty: no line counts
 * @param crossedBytes how much must have crossed in all since the programs were started; at least 1
 */
public record StartSignal(String line, long crossedBytes) {

    /** More than greetings and addresses, less than any data worth a measurement. */
    private static final long DATA_BYTES = 1 << 20;

    public StartSignal {
        Preconditions.checkArgument(crossedBytes >= 1, "crossedBytes: %s", crossedBytes);
    }

    /** By this text in a line. */
    public static StartSignal line(String text) {
        Preconditions.checkArgument(!text.isEmpty(), "no text");
        return new StartSignal(text, Long.MAX_VALUE);
    }

    /** By the first mebibyte that has crossed between clusters. */
    public static StartSignal data() {
        return new StartSignal("", DATA_BYTES);
    }

    /** By this text in a line, or, of programs that say nothing, by the first mebibyte: whichever comes first. */
    public static StartSignal lineOrData(String text) {
        Preconditions.checkArgument(!text.isEmpty(), "no text");
        return new StartSignal(text, DATA_BYTES);
    }

    boolean isIn(String said) {
        return !line.isEmpty() && said.contains(line);
    }
}
