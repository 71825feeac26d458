package org.robber.transport.mesh;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;

/** The frames of meetings for one peer that it may not have: they are sent again over a new connection. Not thread-safe. */
final class UnacknowledgedFrames {
    private final Deque<ByteBuffer> frames = new ArrayDeque<>();
    private long acknowledged;
    private long bytes;

    void add(ByteBuffer frame) {
        frames.add(frame);
        bytes += frame.remaining();
    }

    /** The peer has got so many frames since the job began. */
    void acknowledge(long count) {
        if (count < acknowledged || count > acknowledged + frames.size()) {
            throw new WireException(
                    WireError.OUT_OF_RANGE,
                    "it has received " + count + " messages, of " + acknowledged + " to "
                            + (acknowledged + frames.size()));
        }
        for (; acknowledged < count; acknowledged++) {
            bytes -= frames.remove().remaining();
        }
    }

    /** The frames that the peer may lack, in the order in which they were added. */
    Iterable<ByteBuffer> all() {
        return frames;
    }

    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    void clear() {
        acknowledged += frames.size();
        frames.clear();
        bytes = 0;
    }
}
