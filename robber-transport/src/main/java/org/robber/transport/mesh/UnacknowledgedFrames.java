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

    void add(ByteBuffer frame) {
        frames.add(frame);
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
            frames.remove();
        }
    }

    /** The frames that the peer may lack, in the order in which they were added. */
    Iterable<ByteBuffer> all() {
        return frames;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    void clear() {
        acknowledged += frames.size();
        frames.clear();
    }
}
