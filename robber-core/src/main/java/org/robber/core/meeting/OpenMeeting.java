package org.robber.core.meeting;

import java.util.function.Consumer;
import org.robber.core.meeting.MeshMessage.OfMeeting;

/** A meeting or a delivery that this node has begun and that is not over here. */
abstract class OpenMeeting {
    private final MeetingKey key;
    private final String call;
    private final Group group;

    OpenMeeting(MeetingKey key, String call, Group group) {
        this.key = key;
        this.call = call;
        this.group = group;
    }

    final MeetingKey key() {
        return key;
    }

    final String call() {
        return call;
    }

    final Group group() {
        return group;
    }

    /** Whether it fails with the loss of this node. */
    final boolean dependsOn(int rank) {
        return group.dependsOn(rank);
    }

    /** Takes a message of another member; one that came before changes nothing. Returns false for a message that this member never may send. */
    abstract boolean received(int from, OfMeeting message);

    /** Sends what can be sent now, or fails. Returns whether it is over here. */
    abstract boolean advance(Consumer<MeetingAction> actions);

    /** Whether a message of this node is still needed. */
    abstract boolean awaits(int rank);

    /** Some time has passed. */
    abstract void tick(Consumer<MeetingAction> actions);
}
