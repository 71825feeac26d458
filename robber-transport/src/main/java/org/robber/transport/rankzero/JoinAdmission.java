package org.robber.transport.rankzero;

import com.google.common.collect.ImmutableList;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Join;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.join.JoinerConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits nodes to a running job. A node that comes before there is a multicast to join waits. During the multicast it is admitted.
 * After it, it is refused. Belongs to one event loop.
 */
final class JoinAdmission implements ControlLinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(JoinAdmission.class);
    private static final int PART_BYTES = 1 << 20;

    private final String job;
    private final JoinerRegistry joiners;
    private final Map<ControlLink, Join> waiting = new LinkedHashMap<>();
    private final Map<Integer, Lost> lostMembers = new TreeMap<>();
    private Roster roster = new Roster(0, ImmutableList.of());
    private Roster forOthers = roster;
    private @Nullable JoinableMulticast offer;
    private long call;
    private ControlMessage.@Nullable Refuse closed;

    /** Whether no multicast opens the job again. */
    private boolean closedForGood;

    /** @param joiners gets the nodes that are admitted */
    public JoinAdmission(String job, JoinerRegistry joiners) {
        this.job = job;
        this.joiners = joiners;
    }

    /**
     * All members are there.
     *
     * @param newForOthers the roster with the addresses of rank 0's machine left out
     */
    public void begin(Roster newRoster, Roster newForOthers) {
        roster = newRoster;
        forOthers = newForOthers;
    }

    /** A member is lost: nodes that join later get the message. */
    public void lost(Lost lost) {
        lostMembers.put(lost.rank(), lost);
    }

    /** A node wants to join: now, or as soon as there is something to join. */
    public void requested(ControlLink link, Join join) {
        if (!join.job().equals(job)) {
            refuse(link, Reason.USAGE, "this is the job '" + job + "', not '" + join.job() + "'");
        } else if (closed != null) {
            refuse(link, closed);
        } else if (offer == null) {
            LOG.info("{} waits to join", link);
            link.handTo(this, ControlType.FROM_WAITING_NODE);
            waiting.put(link, join);
        } else {
            admit(link, join, offer);
        }
    }

    private static void refuse(ControlLink link, Reason reason, String why) {
        refuse(link, new ControlMessage.Refuse(reason.exitCode(), why));
    }

    private static void refuse(ControlLink link, ControlMessage.Refuse answer) {
        LOG.info("refused {}, which wants to join: {}", link, answer.reason());
        link.finish(answer);
    }

    /** From now on nodes may join this multicast, which ends with the collective call of that number. */
    public void open(long endingCall, JoinableMulticast newOffer) {
        if (closedForGood) {
            return;
        }
        offer = newOffer;
        call = endingCall;
        closed = null;
        Map<ControlLink, Join> early = new LinkedHashMap<>(waiting);
        waiting.clear();
        early.forEach((link, join) -> admit(link, join, newOffer));
    }

    private void admit(ControlLink link, Join join, JoinableMulticast what) {
        List<Member> known = new ArrayList<>(forOthers.members());
        known.addAll(joiners.members());
        if (known.size() >= Topology.MAX_NODES) {
            refuse(link, Reason.USAGE, "the job has as many nodes as there may be");
            return;
        }
        String cluster = join.cluster();
        InetAddress seen = link.remoteAddress();
        Member member = new Member(
                cluster == null
                        ? ClusterNames.ofJoiner(seen, roster.members(), LocalAddresses.ofThisMachine())
                        : cluster,
                join.host(),
                join.processId(),
                join.dataAddresses().stream()
                        .map(address -> address.isEmpty() ? seen.getHostAddress() : address)
                        .distinct()
                        .collect(ImmutableList.toImmutableList()),
                join.dataPort());
        JoinerState node = new JoinerState(link, known.size(), member);
        known.add(member);
        joiners.add(node);
        link.send(new Roster(roster.seed(), ImmutableList.copyOf(known)));
        link.send(new ControlMessage.Admit(
                roster.members().size(),
                what.channel(),
                what.begin().sequence(),
                what.begin().rootRank(),
                what.begin().totalBytes(),
                what.begin().pieceBytes(),
                what.begin().strategy(),
                what.begin().digest(),
                what.description().length));
        lostMembers.values().forEach(link::send);
        link.sendInTurn(parts(what.description()));
    }

    /** The parts of the description, each made when it is asked for. */
    private static Iterator<ControlMessage> parts(byte[] description) {
        int count = (description.length + PART_BYTES - 1) / PART_BYTES;
        return IntStream.range(0, count)
                .<ControlMessage>mapToObj(part -> {
                    int from = part * PART_BYTES;
                    int to = Math.min(description.length, from + PART_BYTES);
                    return new Publish(0, JoinerConnection.DESCRIPTION, Arrays.copyOfRange(description, from, to));
                })
                .iterator();
    }

    /** All members have come to the end of this call. Returns whether it ends the multicast that nodes could join. */
    public boolean close(long endedCall) {
        boolean ends = offer != null && endedCall == call;
        if (ends) {
            offer = null;
            closed = over("its nodes have everything, and end");
        }
        return ends;
    }

    private ControlMessage.Refuse over(String why) {
        return new ControlMessage.Refuse(
                Reason.NETWORK.exitCode(), "the job '" + job + "' can't be joined any more: " + why);
    }

    /** From now on no node may join. */
    public void closePermanently() {
        close(closed == null ? over("it ends") : closed);
    }

    /** No node may join at any time. */
    public void refuseAll(String why) {
        if (closedForGood) {
            return;
        }
        closedForGood = true;
        close(new ControlMessage.Refuse(Reason.USAGE.exitCode(), "the job '" + job + "' can't be joined: " + why));
    }

    private void close(ControlMessage.Refuse answer) {
        offer = null;
        closed = answer;
        waiting.keySet().forEach(link -> refuse(link, answer));
        waiting.clear();
    }

    /** The job has failed. */
    public void fail(ControlMessage.Fail failure) {
        offer = null;
        closedForGood = true;
        closed = new ControlMessage.Refuse(
                Reason.NETWORK.exitCode(), "the job '" + job + "' has failed: " + failure.text());
        waiting.keySet().forEach(link -> link.finish(failure));
        waiting.clear();
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        // Nodes that wait send only ALIVE.
    }

    @Override
    public void ended(ControlLink link, String why) {
        waiting.remove(link);
    }
}
