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
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.meeting.PersonalPayloads.Outgoing;

/** A meeting that this node has begun and that is not over here. */
final class Meeting {
    /** After so many ticks a node that still waits for its subtree says which call it is in. */
    private static final int PATIENT_TICKS = 2;

    private final MeetingKey key;
    private final String call;
    private final Group group;
    private final MeetingRoutes routes;
    private final ImmutableSet<Integer> expectedFrom;
    private ImmutableList<Outgoing> unsent;
    private final byte[] @Nullable [] payloads;
    private final Map<Integer, ByteBuffer> received = new HashMap<>();
    private final Set<Integer> awaitedBelow;
    private final Set<Integer> awaitedAbove;
    private final Set<Integer> awaitedSingly;
    private boolean toldAbove;
    private boolean toldBelow;
    private long bytes;
    private int ticks;

    Meeting(
            MeetingKey key,
            String call,
            Group group,
            MeetingRoutes routes,
            int number,
            byte[] payload,
            PersonalPayloads personal) {
        this.key = key;
        this.call = call;
        this.group = group;
        this.routes = routes;
        this.expectedFrom = personal.expectedFrom();
        this.unsent = personal.sent();
        this.payloads = new byte[group.size()][];
        this.awaitedBelow = new HashSet<>(routes.below());
        this.awaitedAbove = new HashSet<>(routes.above());
        this.awaitedSingly = new HashSet<>(ranks(personal.expectedFrom()));
        add(number, payload);
    }

    private List<Integer> ranks(Collection<Integer> numbers) {
        return Lists.transform(ImmutableList.copyOf(numbers), group::rank);
    }

    private void add(int number, byte[] payload) {
        byte[] before = payloads[number];
        bytes += payload.length - (before == null ? 0 : before.length);
        payloads[number] = payload;
    }

    MeetingKey key() {
        return key;
    }

    String call() {
        return call;
    }

    /** Sends what is for single members. */
    void begin(Consumer<MeetingAction> actions) {
        if (!awaitedSingly.isEmpty()) {
            actions.accept(new MeetingAction.Connect(ImmutableList.copyOf(awaitedSingly)));
        }
        for (Outgoing outgoing : unsent) {
            ImmutableList<Integer> to = ImmutableList.copyOf(ranks(outgoing.to()));
            actions.accept(new MeetingAction.Connect(to));
            actions.accept(new MeetingAction.Send(to, new Personal(key, call, outgoing.payload())));
        }
        unsent = ImmutableList.of();
    }

    /** Takes what another member has sent; what came before changes nothing. Returns false for what it never may send. */
    boolean received(int from, OfMeeting message) {
        if (message instanceof Personal single) {
            if (awaitedSingly.remove(from)) {
                received.put(group.number(from), single.payload());
            }
            return expectedFrom.contains(group.number(from));
        }
        return !(message instanceof Bundle bundle) || received(from, bundle);
    }

    private boolean received(int from, Bundle bundle) {
        ImmutableList<Integer> numbers = routes.sources().get(from);
        if (numbers == null || numbers.size() != bundle.payloads().size()) {
            return false;
        }
        if (awaitedBelow.remove(from) || awaitedAbove.remove(from)) {
            for (int i = 0; i < numbers.size(); i++) {
                add(numbers.get(i), bundle.payloads().get(i));
            }
        }
        return true;
    }

    /** Sends what can be sent now. Returns whether this node needs no more. */
    boolean advance(Consumer<MeetingAction> actions) {
        if (!toldAbove && awaitedBelow.isEmpty()) {
            toldAbove = true;
            if (!routes.above().isEmpty()) {
                actions.accept(new MeetingAction.Send(routes.above(), bundle(routes.subtree())));
            }
        }
        if (!toldAbove || !awaitedAbove.isEmpty()) {
            return false;
        }
        if (!toldBelow) {
            toldBelow = true;
            if (!routes.below().isEmpty()) {
                actions.accept(new MeetingAction.Send(routes.below(), bundle(routes.everyone())));
            }
        }
        if (!awaitedSingly.isEmpty()) {
            return false;
        }
        actions.accept(new MeetingAction.Met(key, bundle(routes.everyone()).payloads(), ImmutableMap.copyOf(received)));
        return true;
    }

    private Bundle bundle(ImmutableList<Integer> numbers) {
        ImmutableList.Builder<byte[]> sent = ImmutableList.builderWithExpectedSize(numbers.size());
        for (int number : numbers) {
            sent.add(Objects.requireNonNull(payloads[number]));
        }
        return new Bundle(key, call, sent.build());
    }

    /** The bytes that are known so far. */
    long bytes() {
        return bytes;
    }

    /** Whether the meeting fails with the loss of this node. */
    boolean dependsOn(int rank) {
        return group.dependsOn(rank);
    }

    /** Whether a message of this neighbour is still needed. */
    boolean awaits(int rank) {
        return awaitedBelow.contains(rank) || awaitedAbove.contains(rank) || awaitedSingly.contains(rank);
    }

    /** Some time has passed. */
    void tick(Consumer<MeetingAction> actions) {
        ticks++;
        if (ticks == PATIENT_TICKS) {
            Set<Integer> untold = new TreeSet<>(awaitedBelow);
            if (!toldAbove) {
                untold.addAll(routes.above());
            }
            if (!untold.isEmpty()) {
                actions.accept(new MeetingAction.Send(untold, new Begun(key, call)));
            }
        }
    }
}
