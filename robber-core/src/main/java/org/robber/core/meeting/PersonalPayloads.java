package org.robber.core.meeting;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.nio.ByteBuffer;

/**
 * The payloads that a member of a delivery has for single members, and the members from which it expects one. Members are known by their numbers in the group.
 *
 * @param sent no member gets two of them
 * @param expectedFrom the members that have something for this one
 */
public record PersonalPayloads(ImmutableList<Outgoing> sent, ImmutableSet<Integer> expectedFrom) {
    /** The most bytes that one member may have for another. */
    public static final int MOST_BYTES = 1 << 20;

    /**
     * A payload.
     *
     * @param to those who get it
     * @param payload what remains of it; not to be changed
     */
    public record Outgoing(ImmutableList<Integer> to, ByteBuffer payload) {
        public Outgoing {
            checkArgument(
                    payload.remaining() <= MOST_BYTES, "%s bytes are too many for one member", payload.remaining());
        }
    }
}
