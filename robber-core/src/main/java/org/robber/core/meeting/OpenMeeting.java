package org.robber.core.meeting;

import java.util.function.Consumer;
import org.robber.core.meeting.MeshMessage.OfMeeting;

/** What this node has begun in a group, and what is not over here. */
interface OpenMeeting {
    MeetingKey key();

    String call();

    /** Takes what another member has sent; what came before changes nothing. Returns false for what it never may send. */
    boolean received(int from, OfMeeting message);

    /** Sends what can be sent now, or fails. Returns whether it is over here. */
    boolean advance(Consumer<MeetingAction> actions);

    /** Whether it fails with the loss of this node. */
    boolean dependsOn(int rank);

    /** Whether a message of this node is still needed. */
    boolean awaits(int rank);

    /** Some time has passed. */
    void tick(Consumer<MeetingAction> actions);
}
