package org.robber.transport.job;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.MeetingAction;
import org.robber.core.meeting.MeetingKey;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.rendezvous.ControlPlane.OpenCall;

/**
 * Finds nodes that wait for each other, one in a call of a communicator of all nodes, the other in a call of a channel. Neither the mesh nor rank 0 sees
 * both calls. A node that hears of a call that it has not begun, and is in another one, tells the first node; that node compares. A node at the
 * end of its program does so for calls of all groups, since it begins none. Thread-safe.
 */
final class CrossedCalls {
    /** The topic of a call that a node waits in while another node waits for it. */
    static final String TOPIC = "crossed";

    /** The last call of a program. No call of any group comes after it. */
    static final String END = "end of the program";

    /** For so long, a call that others have begun may be about to begin here. */
    private static final long PATIENCE_MILLIS = 500;

    private final JobContext context;

    /** The calls of other nodes that this node has not begun. */
    private final Map<MeetingKey, MeetingAction.Early> early = new ConcurrentHashMap<>();

    /** The groups of all nodes whose calls are made in one order with those of channels. */
    private final Set<Long> groups = ConcurrentHashMap.newKeySet();

    private long lastTold = -1;

    CrossedCalls(JobContext context) {
        this.context = context;
        groups.add(Group.world(1).id());
        context.mesh().onEarly(this::heard);
    }

    void watch(Group group) {
        groups.add(group.id());
    }

    private void heard(MeetingAction.Early call) {
        if (early.putIfAbsent(call.key(), call) == null) {
            context.sockets().later(() -> look(call), PATIENCE_MILLIS);
        }
    }

    private void look(MeetingAction.Early call) {
        if (!context.mesh().mayBegin(call.key())) {
            early.remove(call.key());
            return;
        }
        context.controlPlane()
                .openCall()
                .filter(open ->
                        groups.contains(call.key().groupId()) || open.call().equals(END))
                .ifPresent(open -> tell(call, open));
        context.sockets().later(() -> look(call), PATIENCE_MILLIS);
    }

    private synchronized void tell(MeetingAction.Early call, OpenCall open) {
        if (open.number() > lastTold) {
            lastTold = open.number();
            String text = call.rank() + "\n" + open.number() + "\n" + call.call() + "\n" + open.call();
            context.controlPlane().publish(TOPIC, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A node has told of a call that it waits in. If this node waits for it, and has not begun that call, they wait for each other. */
    void told(int other, byte[] payload) {
        List<String> lines = new String(payload, StandardCharsets.UTF_8).lines().toList();
        int rank = Integer.parseInt(lines.get(0));
        if (rank == context.rank() && context.controlPlane().callsBegun() <= Long.parseLong(lines.get(1))) {
            String call = lines.get(2);
            context.controlPlane()
                    .fail(ControlFailures.differentCalls(
                            call,
                            rank,
                            call,
                            other,
                            lines.get(3),
                            context.controlPlane().roster()));
        }
    }
}
