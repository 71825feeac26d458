package org.robber.core.meeting;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.EvictingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Personal;
import org.robber.core.topology.Topology;

/**
 * One node in the small calls of all groups that it is in. In a meeting each member brings a payload and gets those of all. Members tell
 * their leader, each leader tells all others, and leaders tell their members. So a meeting takes one trip between clusters. In a delivery, members send
 * {@link PersonalPayloads} to each other directly.
 *
 * <p>Messages between two nodes may come in any order, and more than once. Not thread-safe.
 */
public final class MeetingNode {
    /** Numbers of meetings that differ below this bit are a series. */
    public static final int SERIES_SHIFT = 40;

    /** The most bytes that all members of a meeting may bring together. */
    public static final int MOST_BYTES = 1 << 20;

    /** Messages of a closed group come at most a little late, and must not be kept for meetings that nobody begins. */
    static final int REMEMBERED_CLOSED_GROUPS = 1024;

    private final int rank;
    private final Topology topology;
    private final Map<MeetingKey, OpenMeeting> open = new LinkedHashMap<>();
    private final Map<Long, BegunGroup> groups = new HashMap<>();
    private final Queue<Long> closedGroups = EvictingQueue.create(REMEMBERED_CLOSED_GROUPS);
    private final EarlyMessages early = new EarlyMessages();
    private final Set<Integer> lost = new HashSet<>();
    private final Set<Integer> unreachable = new HashSet<>();
    private List<MeetingAction> actions = new ArrayList<>();

    /** A group in which this node has begun meetings, and their numbers. */
    private record BegunGroup(Group group, MeetingRoutes routes, BegunNumbers numbers) {}

    /** @param topology the clusters of all nodes of the job */
    public MeetingNode(int rank, Topology topology) {
        this.rank = rank;
        this.topology = topology;
    }

    /**
     * This node begins a meeting.
     *
     * @param group has this node as a member, and is not closed
     * @param number not used in this group before, and greater than most of those with the same bits above {@link #SERIES_SHIFT}
     */
    public List<MeetingAction> begin(Group group, long number, String call, byte[] payload) {
        return begin(
                group,
                number,
                begun -> new Meeting(
                        new MeetingKey(group.id(), number), call, group, begun.routes, group.number(rank), payload));
    }

    /**
     * This node sends payloads to single members, and expects some. It waits for nobody else: it may be over before others have begun it, so it tells
     * nothing of them.
     *
     * @param group as for {@link #begin}
     * @param number as for {@link #begin}
     */
    public List<MeetingAction> deliver(Group group, long number, String call, PersonalPayloads personal) {
        return begin(group, number, begun -> new Delivery(new MeetingKey(group.id(), number), call, group, personal));
    }

    private List<MeetingAction> begin(Group group, long number, Function<BegunGroup, OpenMeeting> opening) {
        BegunGroup begun = groups.computeIfAbsent(group.id(), first -> beginOf(group));
        MeetingKey key = new MeetingKey(group.id(), number);
        checkArgument(number >= 0 && !begun.numbers.contains(number), "%s was begun before", key);
        begun.numbers.add(number);
        OpenMeeting meeting = opening.apply(begun);
        open.put(key, meeting);
        for (EarlyMessages.Early message : early.take(key)) {
            if (open.containsKey(key)) {
                take(meeting, message.from(), message.message());
            }
        }
        if (open.containsKey(key)) {
            advance(meeting);
        }
        lost.forEach(gone -> failThose(gone, each -> each == meeting && each.dependsOn(gone)));
        unreachable.forEach(gone -> failThose(gone, each -> each == meeting && each.awaits(gone)));
        return taken();
    }

    private BegunGroup beginOf(Group group) {
        checkArgument(!closedGroups.contains(group.id()), "%s is closed", group);
        MeetingRoutes routes = MeetingRoutes.of(group, topology, rank);
        actions.add(new MeetingAction.Connect(routes.sources().keySet().asList()));
        return new BegunGroup(group, routes, new BegunNumbers());
    }

    /** A message has come. */
    public List<MeetingAction> received(int from, OfMeeting message) {
        MeetingKey key = message.key();
        OpenMeeting meeting = open.get(key);
        if (meeting != null) {
            take(meeting, from, message);
            if (open.containsKey(key)) {
                advance(meeting);
            }
        } else if (mayBegin(key)) {
            keep(from, message);
        }
        return taken();
    }

    private void keep(int from, OfMeeting message) {
        for (EarlyMessages.Early other : early.of(message.key())) {
            if (!other.message().call().equals(message.call())) {
                actions.add(new MeetingAction.Mismatch(
                        message.key(),
                        from,
                        message.call(),
                        other.from(),
                        other.message().call()));
                return;
            }
        }
        if (!early.keep(from, message)) {
            actions.add(new MeetingAction.TooFarAhead(from, message.call()));
        } else if (!(message instanceof Personal)) {
            // This node may be in an earlier delivery of the same call.
            actions.add(new MeetingAction.Early(message.key(), from, message.call()));
        }
    }

    private void take(OpenMeeting meeting, int from, OfMeeting message) {
        MeetingKey key = meeting.key();
        if (!message.call().equals(meeting.call())) {
            open.remove(key);
            actions.add(new MeetingAction.Mismatch(key, from, message.call(), rank, meeting.call()));
        } else if (!meeting.received(from, message)) {
            open.remove(key);
            actions.add(new MeetingAction.Breach(
                    from, "its message of " + message.bytes() + " bytes in " + key + " was not expected"));
        }
    }

    private void advance(OpenMeeting meeting) {
        if (meeting.advance(actions::add)) {
            open.remove(meeting.key());
        }
    }

    /**
     * A node is lost to the job: meetings of groups that depend on it fail, now and later. A meeting that needs nothing more of it fails, too, because
     * other members may have failed before they could send what they owe.
     */
    public List<MeetingAction> lost(int gone) {
        lost.add(gone);
        failThose(gone, meeting -> meeting.dependsOn(gone));
        early.dropIf(
                message -> message.from() == gone || !mayBegin(message.message().key()));
        return taken();
    }

    /** A node sends nothing more: it has left, or cannot be reached. Meetings that need its messages fail, now and later. */
    public List<MeetingAction> unreachable(int gone) {
        unreachable.add(gone);
        failThose(gone, meeting -> meeting.awaits(gone));
        return taken();
    }

    private void failThose(int gone, Predicate<OpenMeeting> needing) {
        open.values().removeIf(meeting -> {
            boolean fails = needing.test(meeting);
            if (fails) {
                actions.add(new MeetingAction.MemberGone(meeting.key(), meeting.call(), gone));
            }
            return fails;
        });
    }

    /**
     * A part of a second has passed. A node that waits for others then says what it waits in, so calls that differ are noticed.
     */
    public List<MeetingAction> tick() {
        open.values().forEach(meeting -> meeting.tick(actions::add));
        return taken();
    }

    /** This node is done with a group: it begins nothing more in it, and its memory is given back. */
    public void closed(Group group) {
        groups.remove(group.id());
        closedGroups.add(group.id());
        early.dropIf(message -> message.message().key().groupId() == group.id());
    }

    /** Whether this node may still begin the meeting: it has not, and its group is not known to be closed, or to have lost a node. */
    public boolean mayBegin(MeetingKey key) {
        BegunGroup begun = groups.get(key.groupId());
        return begun == null
                ? !closedGroups.contains(key.groupId())
                : !begun.numbers.contains(key.number()) && lost.stream().noneMatch(begun.group::dependsOn);
    }

    /** Whether a meeting is under way here. */
    public boolean isMeeting() {
        return !open.isEmpty();
    }

    private List<MeetingAction> taken() {
        List<MeetingAction> taken = actions;
        actions = new ArrayList<>();
        return taken;
    }
}
