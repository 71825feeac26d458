package org.robber.transport.rankzero;

import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Member;

/** A node that joined, as rank 0 sees it. Not thread-safe. */
final class JoinerState {
    final int rank;
    final Member member;
    long bytesDone;
    long movedNanos;
    /** Whether it has everything. */
    boolean complete;

    /** The last that it said. */
    byte @Nullable [] result;

    @Nullable
    RobberException failure;

    public JoinerState(int rank, Member member) {
        this.rank = rank;
        this.member = member;
        this.movedNanos = System.nanoTime();
    }

    /** Whether it may still get everything. */
    public boolean isUnderWay() {
        return !complete && failure == null;
    }

    /** Whether nothing is to be heard of it any more. */
    public boolean isThrough() {
        return result != null || failure != null;
    }

    /** It is lost during this. */
    public RobberException lost(Topology everyone, String phase, String why) {
        return ControlFailures.lost(rank, describe(everyone), phase, why);
    }

    /** For people. */
    public String describe(Topology everyone) {
        return "node " + everyone.nodeName(rank) + " (rank " + rank + ", host " + member.host() + ", pid "
                + member.processId() + "), which came late,";
    }

    public JoinedNode outcome(Topology everyone) {
        return new JoinedNode(
                rank, everyone.nodeName(rank), member.host(), member.cluster(), bytesDone, result, failure);
    }
}
