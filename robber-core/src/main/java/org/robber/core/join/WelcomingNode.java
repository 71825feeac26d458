package org.robber.core.join;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/**
 * A member of a multicast that lets joiners take from it: peers whose numbers are above those of all members, and of which the
 * member's own machine, of whatever strategy, never hears. They are told which pieces are here and get those they ask for;
 * they have no part in the work, and nothing waits for them.
 */
public final class WelcomingNode implements MulticastNode {
    private final MulticastNode member;
    private final int members;
    private final Map<Integer, Joiner> joiners = new TreeMap<>();
    private final List<Action> actions = new ArrayList<>();

    /** Pieces of which the last copy is lost; null if there are none. */
    private @Nullable PieceSet givenUp;

    /** What is between this node and a joiner that is connected to it. */
    private static final class Joiner {
        /** What it wants and is not here yet; null until it has said so. */
        private @Nullable PieceSet awaited;

        private boolean done;
        private boolean doneSaid;
        private boolean stopped;
    }

    /**
     * No node has joined.
     *
     * @param member the machine that does all else
     * @param members how many nodes the multicast began with: their numbers are below that
     */
    public WelcomingNode(MulticastNode member, int members) {
        checkArgument(members >= 1, "members: %s", members);
        this.member = member;
        this.members = members;
    }

    @Override
    public List<Action> start(long nowNanos) {
        return member.start(nowNanos);
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        int peer = peerOf(event);
        if (peer < members) {
            List<Action> its = member.handle(nowNanos, event);
            if (event instanceof Event.GivenUp given) {
                PieceSet all = given.pieces().copy();
                if (givenUp != null) {
                    all.addAll(givenUp);
                }
                givenUp = all;
            } else if (joiners.isEmpty() || !(event instanceof Event.PieceStored)) {
                return its;
            }
            actions.addAll(its);
            if (event instanceof Event.PieceStored stored) {
                announce(stored.piece());
            }
        } else {
            handle(peer, event);
        }
        joiners.forEach(this::end);
        List<Action> drained = ImmutableList.copyOf(actions);
        actions.clear();
        return drained;
    }

    /** The peer that an event is about, or -1 if it is about none. */
    private static int peerOf(Event event) {
        if (event instanceof Event.Received received) {
            return received.fromRank();
        } else if (event instanceof Event.PeerReady ready) {
            return ready.peerRank();
        } else if (event instanceof Event.PeerLost lost) {
            return lost.peerRank();
        } else if (event instanceof Event.PeerStalled stalled) {
            return stalled.peerRank();
        } else if (event instanceof Event.PeerRevived revived) {
            return revived.peerRank();
        }
        return -1;
    }

    private void handle(int number, Event event) {
        if (event instanceof Event.PeerReady) {
            joiners.put(number, new Joiner());
        } else if (event instanceof Event.PeerLost) {
            joiners.remove(number);
        } else if (event instanceof Event.Received received) {
            Joiner joiner = joiners.get(number);
            if (joiner != null && !understood(number, joiner, received.message())) {
                joiners.remove(number);
                actions.add(new Action.Disconnect(number, received.message().type() + " is not for joiners to say"));
            }
        }
        // It owes us nothing, so it can't stall.
    }

    /** Does what the joiner asks for; returns whether it may ask for that. */
    private boolean understood(int number, Joiner joiner, Message message) {
        switch (message.type()) {
            case DESIRE -> {
                return desired(number, joiner, ((Message.Desire) message).pieces());
            }
            case REQUEST -> {
                int piece = ((Message.Request) message).piece();
                if (!isPiece(piece)) {
                    return false;
                }
                actions.add(
                        possession().contains(piece)
                                ? new Action.SendPiece(number, piece)
                                : new Action.Send(number, new Message.Reject(piece)));
                return true;
            }
            case CANCEL -> {
                int piece = ((Message.Cancel) message).piece();
                if (!isPiece(piece)) {
                    return false;
                }
                actions.add(new Action.CancelPiece(number, piece));
                return true;
            }
            case DONE -> {
                boolean first = !joiner.done;
                joiner.done = true;
                return first;
            }
            case STOP -> {
                return joiner.stopped;
            }
            default -> {
                return false;
            }
        }
    }

    private boolean isPiece(int piece) {
        return piece >= 0 && piece < possession().capacity();
    }

    private boolean desired(int number, Joiner joiner, PieceSet pieces) {
        if (pieces.capacity() != possession().capacity()) {
            return false;
        }
        joiner.awaited = pieces.andNot(possession());
        actions.add(new Action.Send(number, new Message.Bitfield(pieces.and(possession()))));
        return true;
    }

    /** The member has a piece more, or has it once more. */
    private void announce(int piece) {
        joiners.forEach((number, joiner) -> {
            PieceSet awaited = joiner.awaited;
            if (awaited != null && !joiner.done && possession().contains(piece) && awaited.remove(piece)) {
                actions.add(new Action.Send(number, new Message.Have(piece)));
            }
        });
    }

    /** Says that everything is here that will ever be, once it is, and the last word once both have said so. */
    private void end(int number, Joiner joiner) {
        if (!joiner.doneSaid && isComplete()) {
            joiner.doneSaid = true;
            actions.add(new Action.Send(number, new Message.Done()));
        }
        if (joiner.doneSaid && joiner.done && !joiner.stopped) {
            joiner.stopped = true;
            actions.add(new Action.Send(number, new Message.Stop()));
        }
    }

    private boolean isComplete() {
        PieceSet lost = givenUp;
        int here = possession().size();
        int lostElsewhere = lost == null ? 0 : lost.size() - lost.countCommon(possession());
        return here + lostElsewhere == possession().capacity();
    }

    @Override
    public PieceSet possession() {
        return member.possession();
    }

    @Override
    public NodeCounters counters() {
        return member.counters();
    }
}
