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
    long lastProgressNanos;
    /** Whether it has everything. */
    boolean complete;

    /** Its result, as it told it. */
    byte @Nullable [] result;

    @Nullable
    RobberException failure;

    public JoinerState(int rank, Member member) {
        this.rank = rank;
        this.member = member;
        this.lastProgressNanos = System.nanoTime();
    }

    /** Whether it lacks pieces and may still get them. */
    public boolean isIncomplete() {
        return !complete && failure == null;
    }

    /** Whether its result or its failure is known. */
    public boolean isFinished() {
        return result != null || failure != null;
    }

    /** The failure by which it is lost during this phase. */
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
