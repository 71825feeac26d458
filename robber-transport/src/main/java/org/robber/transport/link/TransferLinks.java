package org.robber.transport.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Event;
import org.robber.transport.link.piece.PieceIntake;

/**
 * The connections that lead to the peers of one transfer, by the numbers by which its machine knows the peers. The machine hears that peers
 * are ready or lost in the order in which their connections change. A connection takes what the machine says once the machine has
 * heard of it: until then, the machine answers to an earlier one.
 */
final class TransferLinks {
    private final PieceIntake intake;
    private final BiConsumer<Event, Runnable> machine;

    /** Guarded by this. */
    private final Map<Integer, PeerLink> attached = new HashMap<>();

    /** Those that the machine has heard of. Belongs to the thread of the machine. */
    private final Map<Integer, PeerLink> heard = new HashMap<>();

    /**
     * None yet.
     *
     * @param machine takes events, and what is to be done in the thread of the machine right before it hears of them
     */
    TransferLinks(PieceIntake intake, BiConsumer<Event, Runnable> machine) {
        this.intake = intake;
        this.machine = machine;
    }

    /** From now on, this connection leads to the peer. If another one does, that has ended, or ends now. Any thread. */
    @SuppressWarnings("ReferenceEquality") // another connection to the same peer
    synchronized void attach(int peer, PeerLink link) {
        PeerLink before = attached.put(peer, link);
        if (before != null && before != link) {
            postLost(peer);
        }
    }

    /** Both ends of the connection have begun. Any thread. */
    void ready(int peer, PeerLink link) {
        machine.accept(new Event.PeerReady(peer), () -> heard.put(peer, link));
    }

    /** The connection is of no use any more; the peer is lost unless another has taken its place. Any thread. */
    @SuppressWarnings("ReferenceEquality") // another connection to the same peer
    synchronized void detach(int peer, PeerLink link) {
        PeerLink current = attached.get(peer);
        if (current == null || current == link) {
            attached.remove(peer);
            postLost(peer);
        }
    }

    /** The peer is lost unless a connection leads to it. Any thread. */
    synchronized void loseIfAbsent(int peer) {
        if (!attached.containsKey(peer)) {
            postLost(peer);
        }
    }

    private void postLost(int peer) {
        machine.accept(new Event.PeerLost(peer), () -> {
            heard.remove(peer);
            intake.forgetAllFrom(peer);
        });
    }

    /** The connection that takes what the machine says to the peer; null if there is none. In the thread of the machine. */
    @Nullable
    PeerLink heard(int peer) {
        return heard.get(peer);
    }

    /** Nothing leads to the peer any more, and the machine knows that. Returns what did, or null. In the thread of the machine. */
    @Nullable
    PeerLink remove(int peer) {
        heard.remove(peer);
        intake.forgetAllFrom(peer);
        synchronized (this) {
            return attached.remove(peer);
        }
    }

    /** The peers that a connection leads to. Any thread. */
    synchronized Set<Integer> peers() {
        return Set.copyOf(attached.keySet());
    }
}
