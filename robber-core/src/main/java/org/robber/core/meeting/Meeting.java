package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.Bundle;

/** A meeting that this node has begun and that is not over here. */
final class Meeting {
    /** After so many ticks a node that still waits for its subtree says which call it is in. */
    private static final int PATIENT_TICKS = 2;

    private final MeetingKey key;
    private final String call;
    private final Group group;
    private final MeetingRoutes routes;
    private final byte[] @Nullable [] payloads;
    private final Set<Integer> awaitedBelow;
    private final Set<Integer> awaitedAbove;
    private boolean toldAbove;
    private int ticks;

    Meeting(MeetingKey key, String call, Group group, MeetingRoutes routes, int number, byte[] payload) {
        this.key = key;
        this.call = call;
        this.group = group;
        this.routes = routes;
        this.payloads = new byte[group.size()][];
        this.awaitedBelow = new HashSet<>(routes.below());
        this.awaitedAbove = new HashSet<>(routes.above());
        payloads[number] = payload;
    }

    MeetingKey key() {
        return key;
    }

    String call() {
        return call;
    }

    /** Takes what a neighbour has sent; what came before, or from others, changes nothing. Returns false for a wrong count. */
    boolean received(int from, Bundle bundle) {
        ImmutableList<Integer> numbers = routes.sources().get(from);
        if (numbers == null || numbers.size() != bundle.payloads().size()) {
            return false;
        }
        if (awaitedBelow.remove(from) || awaitedAbove.remove(from)) {
            for (int i = 0; i < numbers.size(); i++) {
                payloads[numbers.get(i)] = bundle.payloads().get(i);
            }
        }
        return true;
    }

    /** Sends what can be sent now. Returns whether this node needs no more. */
    boolean advance(Consumer<MeetingAction> actions) {
        if (!toldAbove && awaitedBelow.isEmpty()) {
            toldAbove = true;
            send(routes.above(), routes.subtree(), actions);
        }
        if (!toldAbove || !awaitedAbove.isEmpty()) {
            return false;
        }
        List<byte[]> all = Arrays.stream(payloads).map(Objects::requireNonNull).toList();
        if (!routes.below().isEmpty()) {
            actions.accept(new MeetingAction.Send(routes.below(), new Bundle(key, call, all)));
        }
        actions.accept(new MeetingAction.Met(key, all));
        return true;
    }

    private void send(ImmutableList<Integer> ranks, List<Integer> numbers, Consumer<MeetingAction> actions) {
        if (!ranks.isEmpty()) {
            List<byte[]> sent = numbers.stream()
                    .map(number -> Objects.requireNonNull(payloads[number]))
                    .toList();
            actions.accept(new MeetingAction.Send(ranks, new Bundle(key, call, sent)));
        }
    }

    /** The bytes that are known so far. */
    long bytes() {
        return Arrays.stream(payloads)
                .filter(Objects::nonNull)
                .mapToLong(payload -> payload.length)
                .sum();
    }

    /** Whether the meeting fails with the loss of this node. */
    boolean dependsOn(int rank) {
        return group.dependsOn(rank);
    }

    /** Whether a message of this neighbour is still needed. */
    boolean awaits(int rank) {
        return awaitedBelow.contains(rank) || awaitedAbove.contains(rank);
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
