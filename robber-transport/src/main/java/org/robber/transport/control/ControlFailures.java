package org.robber.transport.control;

import com.google.common.collect.ImmutableList;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;

/** How failures read, and what they look like on the wire. */
public final class ControlFailures {
    /** The phase until all nodes are there. */
    public static final String CONNECT = "connect";

    /** The phase of a node that has told rank 0 of nothing it does: its calls are between nodes. */
    public static final String JOB = "job";

    /** As many chars of a phase are sent: safely within the limit of names, whatever the characters. */
    private static final int MAX_PHASE_CHARS = 250;

    private ControlFailures() {}

    /** The failure by which a node is lost. */
    public static RobberException lost(int rank, String who, String phase, String why) {
        String when = phase.equals(JOB) ? "" : " during '" + phase + "'";
        return new RobberException(Reason.NETWORK, List.of(rank), phase, who + " was lost" + when + ": " + why);
    }

    /** A failure from the time before everyone is there. */
    public static RobberException connecting(Reason reason, List<Integer> ranks, String text) {
        return new RobberException(reason, ranks, CONNECT, text);
    }

    /** A node before the roster is known. */
    public static String who(Announce node) {
        return "rank " + node.rank() + " (host " + node.host() + ", pid " + node.processId() + ")";
    }

    /** A node as people see it once everyone is there. */
    public static String who(int rank, Roster roster) {
        Topology topology =
                Topology.of(roster.members().stream().map(Member::cluster).toList());
        return who(rank, roster.members().get(rank), topology);
    }

    /** A node of this topology, for people. */
    public static String who(int rank, Member node, Topology topology) {
        return "node " + topology.nodeName(rank) + " (rank " + rank + ", host " + node.host() + ", pid "
                + node.processId() + ")";
    }

    /** Two nodes of a roster make different calls in one place. */
    public static RobberException differentCalls(
            String phase, int rank, String call, int otherRank, String otherCall, Roster roster) {
        return new RobberException(
                Reason.USAGE,
                List.of(rank, otherRank),
                phase,
                "the nodes do not make the same calls: " + who(rank, roster) + " calls '" + call + "' where "
                        + who(otherRank, roster) + " calls '" + otherCall + "'");
    }

    /** A node of a roster calls another one that has left. */
    public static RobberException callAfterLeave(int leaver, int caller, String call, Roster roster) {
        return new RobberException(
                Reason.USAGE,
                List.of(leaver, caller),
                call,
                who(leaver, roster) + " has left the job, but " + who(caller, roster) + " calls '" + call + "'");
    }

    /** The failure as rank 0 passes it on, without the parts that cannot be sent. */
    public static Fail toMessage(RobberException failure, int size) {
        return new Fail(
                failure.reason().exitCode(),
                failure.ranks().stream()
                        .filter(rank -> rank >= 0 && rank < size)
                        .distinct()
                        .collect(ImmutableList.toImmutableList()),
                clip(failure.phase()),
                String.valueOf(failure.getMessage()));
    }

    public static RobberException fromMessage(Fail fail) {
        return new RobberException(Reason.ofExitCode(fail.code()), fail.ranks(), fail.phase(), fail.text());
    }

    /** The loss of this node as rank 0 passes it on. */
    public static Lost toLost(int rank, RobberException why) {
        return new Lost(rank, why.reason().exitCode(), clip(why.phase()), String.valueOf(why.getMessage()));
    }

    /** Why that node was lost. */
    public static RobberException fromLost(Lost lost) {
        return new RobberException(Reason.ofExitCode(lost.code()), List.of(lost.rank()), lost.phase(), lost.text());
    }

    /** Without halves of surrogate pairs, which have no form on the wire. */
    private static String clip(String phase) {
        String start = phase.length() <= MAX_PHASE_CHARS ? phase : phase.substring(0, MAX_PHASE_CHARS);
        return new String(start.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Such as {@code rank 3} or {@code ranks 0, 3-17}; at least one, in order. */
    public static String ranks(List<Integer> ranks) {
        List<String> runs = new ArrayList<>();
        for (int start = 0, end; start < ranks.size(); start = end) {
            end = start + 1;
            while (end < ranks.size() && ranks.get(end) == ranks.get(end - 1) + 1) {
                end++;
            }
            runs.add(end == start + 1 ? "" + ranks.get(start) : ranks.get(start) + "-" + ranks.get(end - 1));
        }
        return (ranks.size() == 1 ? "rank " : "ranks ") + String.join(", ", runs);
    }

    /** Such as {@code 30 s} or {@code 0.5 s}. */
    public static String seconds(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
}
