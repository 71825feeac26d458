package org.robber.transport.collective.personal;

import java.nio.ByteBuffer;
import java.util.Map;
import org.robber.core.meeting.PersonalPayloads;

/** The steps of one member in a call whose members send each other messages. In each it sends some, and then takes those that it gets. */
public interface PersonalSteps {
    /** A part or a vector is divided into no smaller slices: messages cost as much as so many bytes. */
    int LEAST_SLICE_BYTES = 1 << 14;

    /** At least 1, the same at all members. */
    int count();

    /**
     * The messages of this member in a step, once it has taken those of the step before.
     *
     * @param step from 0
     */
    PersonalPayloads payloads(int step);

    /** Takes what others have sent in a step, by rank. After the last step the call is over here. */
    void take(int step, Map<Integer, ByteBuffer> received);
}
