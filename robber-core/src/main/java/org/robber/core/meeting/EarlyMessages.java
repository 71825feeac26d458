package org.robber.core.meeting;

import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.OfMeeting;

/** Messages of meetings that this node has not begun yet. They take a limited memory for each sender. */
final class EarlyMessages {
    /** The most that messages of one sender take. */
    static final long MOST_BYTES_OF_SENDER = 64L << 20;

    /** What a message takes beside its payloads, and each payload beside its bytes, at most. */
    private static final long OVERHEAD_BYTES = 256;

    private static final long PAYLOAD_OVERHEAD_BYTES = 32;

    private final ListMultimap<MeetingKey, Early> byMeeting = LinkedListMultimap.create();
    private final Map<Integer, Long> bytesOfSender = new HashMap<>();

    record Early(int from, OfMeeting message) {
        long bytes() {
            int payloads = message instanceof Bundle bundle ? bundle.payloads().size() : 1;
            return OVERHEAD_BYTES + message.bytes() + PAYLOAD_OVERHEAD_BYTES * payloads;
        }
    }

    /** Keeps the message; returns false if that is too much for its sender. */
    boolean keep(int from, OfMeeting message) {
        Early early = new Early(from, message);
        long bytes = bytesOfSender.getOrDefault(from, 0L) + early.bytes();
        if (bytes > MOST_BYTES_OF_SENDER) {
            return false;
        }
        bytesOfSender.put(from, bytes);
        byMeeting.put(message.key(), early);
        return true;
    }

    /** The messages of this meeting in the order of their arrival. */
    List<Early> of(MeetingKey key) {
        return byMeeting.get(key);
    }

    /** As {@link #of}, and they are no longer kept here. */
    List<Early> take(MeetingKey key) {
        if (byMeeting.isEmpty()) {
            return List.of();
        }
        List<Early> taken = byMeeting.removeAll(key);
        taken.forEach(this::forget);
        return taken;
    }

    /** Drops messages that no meeting will take. */
    void dropIf(Predicate<Early> useless) {
        byMeeting.values().removeIf(early -> {
            boolean drops = useless.test(early);
            if (drops) {
                forget(early);
            }
            return drops;
        });
    }

    private void forget(Early early) {
        bytesOfSender.merge(early.from(), -early.bytes(), Long::sum);
    }
}
