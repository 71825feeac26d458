package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.List;

/** What two nodes of the mesh tell each other. */
public sealed interface MeshMessage {

    /** A message between two members of a group, about one of its meetings. */
    sealed interface OfMeeting extends MeshMessage permits Bundle, Personal, Begun {
        MeetingKey key();

        /** The call of the sender, with its arguments. */
        String call();

        /** The bytes of all payloads. */
        default long bytes() {
            return 0;
        }
    }

    /**
     * The payloads of several members. The two ends know whose they are, and in what order.
     *
     * @param payloads not to be changed
     */
    record Bundle(MeetingKey key, String call, ImmutableList<byte[]> payloads) implements OfMeeting {

        public Bundle(MeetingKey key, String call, List<byte[]> payloads) {
            this(key, call, ImmutableList.copyOf(payloads));
        }

        @Override
        public long bytes() {
            return payloads.stream().mapToLong(payload -> payload.length).sum();
        }
    }

    /**
     * What the sender brings for the receiver alone, as {@link PersonalPayloads} say.
     *
     * @param payload what remains of it; not to be changed
     */
    record Personal(MeetingKey key, String call, ByteBuffer payload) implements OfMeeting {
        @Override
        public long bytes() {
            return payload.remaining();
        }
    }

    /** The sender has begun a meeting, and waits for others before it can send a {@link Bundle}. Deliveries need none. */
    record Begun(MeetingKey key, String call) implements OfMeeting {}

    /**
     * How many messages of meetings have come from the other side, over all connections between the two. The first message of each
     * connection; later it is sent where nothing else is.
     */
    record Received(long count) implements MeshMessage {}

    /**
     * The sender has made memory for messages between the two, who are processes of one machine.
     *
     * @param name of its file, without the folder
     * @param token that the memory begins with, so that no other file of this name is taken for it
     */
    record Share(String name, long token) implements MeshMessage {}

    /** There are messages in the memory, which the receiver did not poll. */
    record Ring() implements MeshMessage {}

    /** The sender takes part in no more meetings, and waits for a {@link Received}. */
    record Leave() implements MeshMessage {}
}
