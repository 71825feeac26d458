package org.robber.transport.rendezvous;

import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.protocol.ControlMessage.Member;
import org.robber.core.topology.Topology;

/** A node that joined, as rank 0 sees it. Not thread-safe. */
final class LateNode {
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

    LateNode(int rank, Member member) {
        this.rank = rank;
        this.member = member;
        this.movedNanos = System.nanoTime();
    }

    /** Whether it may still get everything. */
    boolean isUnderWay() {
        return !complete && failure == null;
    }

    /** Whether nothing is to be heard of it any more. */
    boolean isThrough() {
        return result != null || failure != null;
    }

    /** It is lost during this. */
    RobberException lost(Topology everyone, String phase, String why) {
        return Failures.lost(rank, describe(everyone), phase, why);
    }

    /** For people. */
    String describe(Topology everyone) {
        return "node " + everyone.nodeName(rank) + " (rank " + rank + ", host " + member.host() + ", pid "
                + member.processId() + "), which came late,";
    }

    JoinedNode outcome(Topology everyone) {
        return new JoinedNode(
                rank, everyone.nodeName(rank), member.host(), member.cluster(), bytesDone, result, failure);
    }
}
