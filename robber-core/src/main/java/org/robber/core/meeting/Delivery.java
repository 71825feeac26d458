package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.meeting.PersonalPayloads.Outgoing;

/** {@link PersonalPayloads} that this node has sent, and those that it expects. It is over here when these have come. */
final class Delivery extends OpenMeeting {
    private final ImmutableSet<Integer> expectedFrom;
    private final Set<Integer> awaited;
    private final Map<Integer, ByteBuffer> received = new HashMap<>();
    private ImmutableList<Outgoing> unsent;
    private boolean hasConnected;

    Delivery(MeetingKey key, String call, Group group, PersonalPayloads personal) {
        super(key, call, group);
        this.expectedFrom = personal.expectedFrom();
        this.awaited = new HashSet<>(ranks(expectedFrom));
        this.unsent = personal.sent();
    }

    private List<Integer> ranks(Collection<Integer> numbers) {
        return Lists.transform(ImmutableList.copyOf(numbers), group()::rank);
    }

    @Override
    boolean received(int from, OfMeeting message) {
        if (message instanceof Personal personal) {
            if (awaited.remove(from)) {
                received.put(group().number(from), personal.payload());
            }
            return expectedFrom.contains(group().number(from));
        }
        return false;
    }

    @Override
    boolean advance(Consumer<MeetingAction> actions) {
        if (!hasConnected) {
            hasConnected = true;
            actions.accept(new MeetingAction.Connect(ImmutableList.copyOf(awaited)));
        }
        for (Outgoing outgoing : unsent) {
            ImmutableList<Integer> to = ImmutableList.copyOf(ranks(outgoing.to()));
            actions.accept(new MeetingAction.Connect(to));
            actions.accept(new MeetingAction.Send(to, new Personal(key(), call(), outgoing.payload())));
        }
        unsent = ImmutableList.of();
        if (awaited.isEmpty()) {
            actions.accept(new MeetingAction.Delivered(key(), ImmutableMap.copyOf(received)));
        }
        return awaited.isEmpty();
    }

    @Override
    boolean awaits(int rank) {
        return awaited.contains(rank);
    }

    /** The meeting of the same call finds members that are in another one. */
    @Override
    void tick(Consumer<MeetingAction> actions) {}
}
