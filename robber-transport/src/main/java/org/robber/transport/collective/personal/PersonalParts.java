package org.robber.transport.collective.personal;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.meeting.PersonalPayloads.Outgoing;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;
import org.robber.transport.collective.data.Region;

/** The parts of a call as payloads for the members that want them. A payload has all parts of one member for another, in their order. Each part has one owner. */
record PersonalParts(Movement movement) {

    /**
     * Whether the parts are few enough.
     *
     * @param mostBytes of all these payloads, as often as they are sent
     */
    boolean fit(long mostBytes) {
        long bytes = 0;
        for (Part part : movement.parts()) {
            bytes += part.sizeBytes() * movement.othersThatWant(part).count();
            if (part.owners().size() > 1 || bytes > mostBytes) {
                return false;
            }
        }
        return movement.totalBytes() <= PersonalPayloads.MOST_BYTES || mostBytesOfPair() <= PersonalPayloads.MOST_BYTES;
    }

    private long mostBytesOfPair() {
        Map<Long, Long> ofPairs = new HashMap<>();
        for (Part part : movement.parts()) {
            long owner = part.owners().get(0);
            movement.othersThatWant(part)
                    .forEach(to -> ofPairs.merge(owner * movement.size() + to, part.sizeBytes(), Long::sum));
        }
        return ofPairs.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Reads what this node has for others. */
    PersonalPayloads payloads() {
        Map<Integer, List<Integer>> ofReceivers = new TreeMap<>();
        Set<Integer> senders = new TreeSet<>();
        for (int number = 0; number < movement.parts().size(); number++) {
            Part part = movement.parts().get(number);
            int owner = part.owners().get(0);
            if (part.sizeBytes() == 0) {
                continue;
            }
            if (owner == movement.rank()) {
                int own = number;
                movement.othersThatWant(part)
                        .forEach(to -> ofReceivers
                                .computeIfAbsent(to, first -> new ArrayList<>())
                                .add(own));
            } else if (part.isWantedBy(movement.rank())) {
                senders.add(owner);
            }
        }
        Map<List<Integer>, List<Integer>> receiversOf = new LinkedHashMap<>();
        ofReceivers.forEach((to, parts) ->
                receiversOf.computeIfAbsent(parts, first -> new ArrayList<>()).add(to));
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        receiversOf.forEach((parts, to) -> sent.add(new Outgoing(ImmutableList.copyOf(to), payload(parts))));
        return new PersonalPayloads(sent.build(), ImmutableSet.copyOf(senders));
    }

    private ByteBuffer payload(List<Integer> numbers) {
        List<Part> parts = Lists.transform(numbers, movement.parts()::get);
        Region only = parts.size() == 1 ? parts.get(0).source() : null;
        if (only != null) {
            return only.toBuffer();
        }
        ByteBuffer payload = ByteBuffer.allocate(
                Ints.checkedCast(parts.stream().mapToLong(Part::sizeBytes).sum()));
        for (Part part : parts) {
            Region source = part.source();
            if (source != null) {
                source.appendTo(payload);
            }
        }
        return payload.flip();
    }

    /** Brings to their places what others have sent, by rank. */
    void place(Map<Integer, ByteBuffer> received) {
        int[] taken = new int[movement.size()];
        for (Part part : movement.parts()) {
            int owner = part.owners().get(0);
            ByteBuffer payload = received.get(owner);
            Region target = part.target();
            if (payload != null && part.isWantedBy(movement.rank())) {
                if (target != null) {
                    target.fill(payload, taken[owner]);
                }
                taken[owner] += (int) part.sizeBytes();
            }
        }
    }
}
