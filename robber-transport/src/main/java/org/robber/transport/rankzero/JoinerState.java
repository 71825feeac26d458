package org.robber.transport.rankzero;

import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node that joined, as rank 0 sees it. Not thread-safe. */
final class JoinerState {
    private static final Logger LOG = LoggerFactory.getLogger(JoinerState.class);
    private static final String PHASE = "join";

    final ControlLink link;
    final int rank;
    final Member member;
    long bytesDone;
    /** When pieces last came to it, or since when it is waited for. */
    long lastProgressNanos;

    /** Whether it has everything. */
    boolean complete;

    /** The result that it has sent. */
    byte @Nullable [] result;

    @Nullable
    RobberException failure;

    public JoinerState(ControlLink link, int rank, Member member) {
        this.link = link;
        this.rank = rank;
        this.member = member;
    }

    /** Whether it lacks pieces and may still get them. */
    public boolean isIncomplete() {
        return !complete && failure == null;
    }

    /** Whether its result or its failure is known. */
    public boolean isFinished() {
        return result != null || failure != null;
    }

    /** The failure by which it is lost. */
    public RobberException lost(Topology everyone, String why) {
        return ControlFailures.lost(rank, describe(everyone), PHASE, why);
    }

    /** The job goes on without it. */
    public void drop(RobberException why) {
        LOG.warn("goes on without a node that joined: {}", why.getMessage());
        failure = why;
        link.finish(ControlFailures.toLost(rank, why));
    }

    /** For people. */
    public String describe(Topology everyone) {
        return ControlFailures.who(rank, member, everyone) + ", a joiner,";
    }

    public JoinedNode outcome(Topology everyone) {
        return new JoinedNode(
                rank, everyone.nodeName(rank), member.host(), member.cluster(), bytesDone, result, failure);
    }
}
