package org.robber.core.meeting;

import org.jspecify.annotations.Nullable;

/**
 * One meeting of a group.
 *
 * @param groupId the id of the {@link Group}
 * @param number of the meeting in its group, from 0
 */
public record MeetingKey(long groupId, long number) {

    // Written out: those of a record are slow as long as the code is cold, and each message needs them.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MeetingKey key && key.groupId == groupId && key.number == number;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * groupId + number);
    }

    @Override
    public String toString() {
        return "call " + number + " of group " + Long.toHexString(groupId);
    }
}
