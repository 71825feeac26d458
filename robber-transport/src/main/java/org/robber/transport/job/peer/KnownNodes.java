package org.robber.transport.job.peer;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.link.pace.Distance;

/** Everyone that a node knows of: the members of the job, and after them those that have joined since. Thread-safe. */
public final class KnownNodes {
    private volatile Nearness everyone;

    public KnownNodes(List<Member> members) {
        this.everyone = Nearness.of(members);
    }

    /** A node has joined; its rank is the next. */
    public synchronized void add(Member joiner) {
        List<Member> more = new ArrayList<>(everyone.members());
        more.add(joiner);
        everyone = Nearness.of(more);
    }

    /** All of them, by rank. */
    public List<Member> members() {
        return everyone.members();
    }

    public Member member(int rank) {
        return everyone.members().get(rank);
    }

    /** All of them and their clusters. Nodes and clusters keep their numbers when a node joins. */
    public Topology topology() {
        return everyone.topology();
    }

    /** How far two of them are from each other. */
    Distance distance(int rank, int otherRank) {
        return everyone.distance(rank, otherRank);
    }

    /** A node as errors name it. */
    public String describe(int rank) {
        Nearness now = everyone;
        return ControlFailures.who(rank, now.members().get(rank), now.topology());
    }
}
