package org.robber.core.trace;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.MessageType;

/**
 * One input or output of a node.
 *
 * @param atNanos monotonic time in nanoseconds
 * @param rank the node
 * @param kind what happened
 * @param peer the peer, or {@link #NONE}
 * @param message the type of the message that was sent or received, if any
 * @param value the piece, or the number of pieces in a set of pieces, or a timer's deadline, or {@link #NONE}
 */
public record TraceEvent(
        long atNanos,
        int rank,
        TraceKind kind,
        int peer,
        @Nullable MessageType message,
        long value) {

    /** Stands for a peer or value that an event does not have. */
    public static final int NONE = -1;

    /** One line, without a line end, such as {@code 1500 2 received 0 bitfield 17}. */
    public String toLine() {
        StringBuilder line = new StringBuilder()
                .append(atNanos)
                .append(' ')
                .append(rank)
                .append(' ')
                .append(word(kind));
        if (peer != NONE) {
            line.append(' ').append(peer);
        }
        if (message != null) {
            line.append(' ').append(word(message));
        }
        if (value != NONE) {
            line.append(' ').append(value);
        }
        return line.toString();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
