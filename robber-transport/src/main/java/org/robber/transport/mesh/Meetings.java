package org.robber.transport.mesh;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.PersonalPayloads;

/** Small collective calls of groups. Each member brings a payload for all, or some for single members. Thread-safe. */
public interface Meetings {
    /** The most bytes that all members of a meeting may bring together. */
    int MOST_BYTES = 1 << 20;

    /**
     * Begins a meeting. All members of the group begin it, in any order of time. Any number of meetings, of one group or of several, may be
     * under way at once.
     *
     * <p>The future fails with a {@link RobberException}. Its reason is {@link RobberException.Reason#USAGE} if members begin meetings of the
     * same number with different calls, or bring too many bytes; then the job fails, too. It is {@link RobberException.Reason#NETWORK} if a
     * member is lost to the job, has left it, or cannot be reached. The future fails with the job in any case. A member that never comes,
     * but is alive, is waited for.
     *
     * @param group has this node as a member
     * @param number the meetings and deliveries of a group are numbered from 0 by its caller; each number is used once
     * @param call the call and its arguments, compared across the members, such as {@code barrier}; up to 1,024 bytes of UTF-8
     * @param payload what this node brings for all; not to be changed later
     * @return what all members have brought, by their number in the group. It completes on an event loop, which must not be blocked
     */
    CompletableFuture<List<byte[]>> meet(Group group, long number, String call, byte[] payload);

    /**
     * Begins a delivery. All members begin it, but each waits only for what it expects. So calls that differ may not be noticed: a meeting of the same call
     * has to be under way. Fails as {@link #meet} does.
     *
     * @param personal what this node sends single members, and who has something for it
     * @return what came for this node, by the number of the sender. It completes on an event loop, which must not be blocked
     */
    CompletableFuture<Map<Integer, ByteBuffer>> deliver(
            Group group, long number, String call, PersonalPayloads personal);
}
