package org.robber.transport.mesh;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.meeting.MeetingAction;
import org.robber.core.meeting.MeetingAction.Breach;
import org.robber.core.meeting.MeetingAction.MemberGone;
import org.robber.core.meeting.MeetingAction.Mismatch;
import org.robber.core.meeting.MeetingAction.TooFarAhead;
import org.robber.core.meeting.MeetingAction.TooManyBytes;
import org.robber.core.meeting.MeetingNode;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.rendezvous.ControlPlane;

/** Failures of meetings in words, and what they mean for the job. Thread-safe. */
final class MeshFailures {
    private final ControlPlane controlPlane;
    private final Map<Integer, Gone> goneNodes = new ConcurrentHashMap<>();

    /** How a node has gone. */
    private record Gone(Way way, String why) {
        enum Way {
            LOST,
            LEFT,
            UNREACHABLE
        }
    }

    MeshFailures(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    void lost(int rank, RobberException why) {
        goneNodes.put(rank, new Gone(Gone.Way.LOST, String.valueOf(why.getMessage())));
    }

    void left(int rank) {
        goneNodes.put(rank, new Gone(Gone.Way.LEFT, "it has left"));
    }

    void unreachable(int rank, String why) {
        goneNodes.putIfAbsent(rank, new Gone(Gone.Way.UNREACHABLE, why));
    }

    /** A meeting has failed at this node. If the others may not know of that, the job fails, or this node gives up. */
    RobberException gone(MemberGone failed) {
        int rank = failed.rank();
        Gone gone = goneNodes.getOrDefault(rank, new Gone(Gone.Way.UNREACHABLE, "it has gone"));
        String call = failed.call();
        return switch (gone.way) {
            case LOST ->
                new RobberException(
                        Reason.NETWORK, List.of(rank), call, "'" + call + "' lacks a node that is lost: " + gone.why);
            case LEFT -> {
                RobberException failure =
                        ControlFailures.callAfterLeave(rank, controlPlane.rank(), call, controlPlane.roster());
                controlPlane.fail(failure);
                yield failure;
            }
            case UNREACHABLE -> {
                RobberException failure = new RobberException(
                        Reason.NETWORK,
                        List.of(rank),
                        call,
                        who(rank) + " cannot be reached by " + who(controlPlane.rank()) + " during '" + call + "': "
                                + gone.why);
                controlPlane.giveUp(failure);
                yield failure;
            }
        };
    }

    /** The job can't go on. */
    void failJob(MeetingAction failed) {
        if (failed instanceof Mismatch mismatch) {
            controlPlane.fail(ControlFailures.differentCalls(
                    mismatch.otherCall(),
                    mismatch.rank(),
                    mismatch.call(),
                    mismatch.otherRank(),
                    mismatch.otherCall(),
                    controlPlane.roster()));
        } else if (failed instanceof TooManyBytes much) {
            controlPlane.fail(new RobberException(
                    Reason.USAGE,
                    List.of(controlPlane.rank()),
                    much.call(),
                    "the nodes bring " + much.bytes() + " bytes or more to '" + much.call() + "', of at most "
                            + MeetingNode.MOST_BYTES));
        } else if (failed instanceof TooFarAhead ahead) {
            controlPlane.fail(new RobberException(
                    Reason.USAGE,
                    List.of(ahead.rank(), controlPlane.rank()),
                    ahead.call(),
                    who(ahead.rank()) + " calls '" + ahead.call() + "' too far ahead of " + who(controlPlane.rank())
                            + ", which has no memory for more calls that it has not begun: wait for some"
                            + " operations before more are begun"));
        } else if (failed instanceof Breach breach) {
            controlPlane.fail(new RobberException(
                    Reason.INTERNAL,
                    List.of(breach.rank()),
                    "call",
                    who(breach.rank()) + " broke the protocol: " + breach.what()));
        } else {
            throw new IllegalArgumentException(failed + " is no failure");
        }
    }

    RobberException leftItself() {
        return new RobberException(
                Reason.USAGE,
                List.of(controlPlane.rank()),
                "leave",
                who(controlPlane.rank()) + " has left the job itself");
    }

    private String who(int rank) {
        return ControlFailures.who(rank, controlPlane.roster());
    }
}
