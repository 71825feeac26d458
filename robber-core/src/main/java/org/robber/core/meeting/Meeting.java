package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;
import org.robber.core.meeting.MeshMessage.OfMeeting;

/** A meeting that this node has begun and that is not over here. */
final class Meeting extends OpenMeeting {
    /** After so many ticks a node that still waits for its subtree says which call it is in. */
    private static final int PATIENT_TICKS = 2;

    private final MeetingRoutes routes;
    private final byte[] @Nullable [] payloads;
    private final Set<Integer> awaitedBelow;
    private final Set<Integer> awaitedAbove;
    private boolean toldAbove;
    private boolean toldBelow;
    private long bytes;
    private int ticks;

    Meeting(MeetingKey key, String call, Group group, MeetingRoutes routes, int number, byte[] payload) {
        super(key, call, group);
        this.routes = routes;
        this.payloads = new byte[group.size()][];
        this.awaitedBelow = new HashSet<>(routes.below());
        this.awaitedAbove = new HashSet<>(routes.above());
        add(number, payload);
    }

    private void add(int number, byte[] payload) {
        byte[] before = payloads[number];
        bytes += payload.length - (before == null ? 0 : before.length);
        payloads[number] = payload;
    }

    @Override
    boolean received(int from, OfMeeting message) {
        return message instanceof Bundle bundle ? received(from, bundle) : message instanceof Begun;
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

    @Override
    boolean advance(Consumer<MeetingAction> actions) {
        if (bytes > MeetingNode.MOST_BYTES) {
            actions.accept(new MeetingAction.TooManyBytes(key(), call(), bytes));
            return true;
        }
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
        actions.accept(new MeetingAction.Met(key(), bundle(routes.everyone()).payloads()));
        return true;
    }

    private Bundle bundle(ImmutableList<Integer> numbers) {
        ImmutableList.Builder<byte[]> sent = ImmutableList.builderWithExpectedSize(numbers.size());
        for (int number : numbers) {
            sent.add(Objects.requireNonNull(payloads[number]));
        }
        return new Bundle(key(), call(), sent.build());
    }

    @Override
    boolean awaits(int rank) {
        return awaitedBelow.contains(rank) || awaitedAbove.contains(rank);
    }

    @Override
    void tick(Consumer<MeetingAction> actions) {
        ticks++;
        if (ticks == PATIENT_TICKS) {
            Set<Integer> untold = new TreeSet<>(awaitedBelow);
            if (!toldAbove) {
                untold.addAll(routes.above());
            }
            if (!untold.isEmpty()) {
                actions.accept(new MeetingAction.Send(untold, new Begun(key(), call())));
            }
        }
    }
}
