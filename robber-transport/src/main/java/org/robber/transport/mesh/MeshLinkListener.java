package org.robber.transport.mesh;

import org.robber.core.meeting.MeshMessage.OfMeeting;

/** Told what a {@link MeshLink} notices, on event loops. */
interface MeshLinkListener {
    void received(int rank, OfMeeting message);

    /** Whether this node may share memory with another peer. */
    boolean mayShare();

    /** This node and a peer share this from now on. */
    void shares(SharedMemory memory);

    /** The peer has rung. */
    void mayHaveMessages(SharedMemory memory);

    /** The peer takes part in no more meetings. All its messages have come. */
    void left(int rank);

    /** There is no connection to the peer, and there won't be any. */
    void unreachable(int rank, String why);
}
