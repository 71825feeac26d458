package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;

/** What a {@link MeetingNode} wants its driver to do. */
public sealed interface MeetingAction {

    /** These nodes will be needed: connect to them. */
    record Connect(ImmutableList<Integer> ranks) implements MeetingAction {}

    /** Send each of these nodes the message. */
    record Send(ImmutableList<Integer> ranks, MeshMessage.OfMeeting message) implements MeetingAction {

        Send(Collection<Integer> ranks, MeshMessage.OfMeeting message) {
            this(ImmutableList.copyOf(ranks), message);
        }
    }

    /** Another node is in a meeting that this node has not begun. Nothing has to be done. */
    record Early(MeetingKey key, int rank, String call) implements MeetingAction {}

    /** A meeting or a delivery has come to a good end at this node. */
    sealed interface End extends MeetingAction {
        MeetingKey key();
    }

    /**
     * The meeting is over at this node.
     *
     * @param payloads of all members, by number
     */
    record Met(MeetingKey key, List<byte[]> payloads) implements End {}

    /**
     * All payloads that others had for this node alone have come.
     *
     * @param payloads by the number of their sender
     */
    record Delivered(MeetingKey key, ImmutableMap<Integer, ByteBuffer> payloads) implements End {}

    /** The meeting has failed at this node: it needed something of a node that is lost, has left or cannot be reached. */
    record MemberGone(MeetingKey key, String call, int rank) implements MeetingAction {}

    /** Two nodes have begun the meeting with different calls. The job has to fail: other members may wait for ever. */
    record Mismatch(MeetingKey key, int rank, String call, int otherRank, String otherCall) implements MeetingAction {}

    /** Members have brought more than a meeting can carry. The job has to fail. */
    record TooManyBytes(MeetingKey key, String call, long bytes) implements MeetingAction {}

    /** A node has begun more calls before this node than this node has memory for; the last of them. The job has to fail. */
    record TooFarAhead(int rank, String call) implements MeetingAction {}

    /** A node has sent what it never may. The job has to fail. */
    record Breach(int rank, String what) implements MeetingAction {}
}
