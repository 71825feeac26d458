package org.robber.core.meeting;

/**
 * One meeting of a group.
 *
 * @param groupId the id of the {@link Group}
 * @param number of the meeting in its group, from 0
 */
public record MeetingKey(long groupId, long number) {

    @Override
    public String toString() {
        return "call " + number + " of group " + Long.toHexString(groupId);
    }
}
