package org.robber.core.rivals.tree;

import static org.robber.core.transfer.ProtocolBreach.unless;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * Requests pieces from the ancestors of a node. A node requests pieces that its parents do not have yet, so a parent can send
 * each piece as soon as it arrives. Nothing arrives that was not requested, so the memory of a slow node is bounded.
 */
final class StripeReceiver {
    private final Possession possession;
    private final ImmutableList<StripeSource> stripes;
    private final int[] firstPieces;
    private final Tally tally;
    private final Outbox outbox;

    /**
     * A receiver that has not requested anything.
     *
     * @param possession what is here; what comes is added to it
     * @param stripes where the pieces of each stripe come from, in order; includes stripes without pieces
     * @param firstPieces the first piece of each stripe
     */
    StripeReceiver(
            Possession possession, ImmutableList<StripeSource> stripes, int[] firstPieces, Tally tally, Outbox outbox) {
        this.possession = possession;
        this.stripes = stripes;
        this.firstPieces = firstPieces;
        this.tally = tally;
        this.outbox = outbox;
    }

    /** The missing pieces of stripes in which no ancestor is left; a new set. */
    PieceSet cutOff() {
        PieceSet cutOff = possession.lacked();
        for (int i = 0; i < stripes.size(); i++) {
            if (stripes.get(i).source() != null) {
                cutOff.removeRange(firstPieces[i], firstPieces[i + 1]);
            }
        }
        return cutOff;
    }

    /** Whether all ancestors in the stripes of these pieces are dead. */
    boolean isCutOffForever(PieceSet pieces) {
        for (int i = 0; i < stripes.size(); i++) {
            int piece = pieces.nextFrom(firstPieces[i]);
            if (piece >= 0 && piece < firstPieces[i + 1] && !stripes.get(i).hasNoAncestorLeft()) {
                return false;
            }
        }
        return true;
    }

    /** The stripe that a piece belongs to. */
    int stripeOf(int piece) {
        int place = Arrays.binarySearch(firstPieces, piece);
        if (place < 0) {
            return -place - 2;
        }
        while (firstPieces[place + 1] == piece) {
            place++; // stripes without pieces begin at the same place
        }
        return place;
    }

    /** Requests as much of the peer as the windows allow. The stripes that it is the source of advance in proportion to their length. */
    void fillFrom(Peer peer) {
        // The stripe with the least progress is at the head. Of several, it is the first.
        Queue<Integer> open = new PriorityQueue<>(Comparator.comparingDouble(
                        (Integer number) -> stripes.get(number).progress())
                .thenComparing(Comparator.naturalOrder()));
        for (int number = 0; number < stripes.size(); number++) {
            if (peer.equals(stripes.get(number).source())) {
                addIfOpen(number, open);
            }
        }
        boolean asked = peer.isReady();
        for (Integer least = open.poll(); asked && least != null; least = open.poll()) {
            asked = ask(stripes.get(least), peer);
            addIfOpen(least, open);
        }
        for (StripeSource stripe : stripes) {
            fill(stripe);
        }
    }

    private void addIfOpen(int number, Queue<Integer> open) {
        StripeSource stripe = stripes.get(number);
        if (!stripe.isFull() && stripe.progress() < 1) {
            open.add(number);
        }
    }

    private void fill(StripeSource stripe) {
        @Nullable Peer source = stripe.source();
        if (source != null && source.isReady() && !source.end().isPeerToldToStop()) {
            while (!stripe.isFull() && ask(stripe, source)) {
                // one more
            }
        }
    }

    private boolean ask(StripeSource stripe, Peer source) {
        int piece = stripe.ask(source, possession);
        if (piece >= 0) {
            outbox.send(source, new Message.Request(piece));
        }
        return piece >= 0;
    }

    /** A piece came from the peer, asked for or not; returns whether it is new. */
    boolean pieceStored(Peer from, int piece) {
        from.reliability().verified();
        boolean isNew = possession.add(piece);
        if (isNew) {
            tally.pieceReceived(from);
        }
        StripeSource stripe = stripes.get(stripeOf(piece));
        stripe.stored(piece);
        fill(stripe);
        return isNew;
    }

    /** The peer refused a piece: it is requested again. */
    void rejectReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "reject of a piece that isn't there");
        StripeSource stripe = stripes.get(stripeOf(piece));
        unless(stripe.isAskedOf(peer, piece), "reject without a request");
        unless(!peer.reliability().refused(), "refuses everything");
        takeBack(piece);
    }

    /** A piece came damaged: it is asked again, or returns false if that happened too often. */
    boolean pieceCorrupt(Peer from, int piece) {
        takeBack(piece);
        return !from.reliability().corrupt();
    }

    private void takeBack(int piece) {
        tally.pieceRejected();
        StripeSource stripe = stripes.get(stripeOf(piece));
        if (stripe.takeBack(piece)) {
            fill(stripe);
        }
    }

    /** The connection to the peer is gone: what was requested of it is requested of the next ancestor. */
    void peerLost(Peer peer) {
        for (StripeSource stripe : stripes) {
            if (stripe.isAncestor(peer)) {
                stripe.takeBackAll(peer);
                fill(stripe);
            }
        }
    }
}
