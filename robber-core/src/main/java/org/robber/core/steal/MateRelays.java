package org.robber.core.steal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Topology;
import org.robber.core.transfer.Outbox;
import org.robber.core.tuning.Tuning;

/**
 * Relays in the cluster of the node that wants a piece, or in that of its owner. So pieces avoid a slow card. They cross no more lines than before. Only
 * nodes that lack nothing are such relays.
 *
 * <p>A slow answer may come from a card or from the line, and only a trial tells which. So one piece at a time goes through a mate of this node
 * on trial, and one through a mate of the owner. A relay that needs at most a part of the time of a direct answer gets more, as many as its {@linkplain RelayPaths path} allows.
 */
final class MateRelays {
    private static final int NONE = -1;

    private final Topology topology;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;
    private final RelayPaths paths;
    private final List<PieceSet> sources;

    /** When each piece was entrusted that has not come. */
    private final Map<Integer, Long> entrustedNanos = new HashMap<>();

    /** How long the last pieces took that each relay brought, by its rank. */
    private final Map<Integer, Long> nanosOfRelays = new HashMap<>();

    /** The piece on trial through a mate of this node, or {@link #NONE}. */
    private int trialThroughMate = NONE;

    /** The piece on trial through a mate of its owner, or {@link #NONE}. */
    private int trialThroughOwnersMate = NONE;

    private @Nullable Peer lastTried;

    /** The mates that returned something. They get nothing more. */
    private final Set<Integer> unable = new HashSet<>();

    /** @param sources by cluster: pieces that only this node wants, that a node there owns, and that were never entrusted */
    MateRelays(NodeParts parts, List<PieceSet> sources) {
        this.topology = parts.setup().topology();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.outbox = parts.outbox();
        this.sources = sources;
        this.paths = new RelayPaths(topology.clusterCount());
    }

    /** A piece came from a peer; returns whether it was to come through a mate. */
    boolean pieceStored(Peer from, int piece, long nowNanos) {
        Long since = entrustedNanos.get(piece);
        if (since != null) {
            if (paths.contains(from, piece)) {
                nanosOfRelays.merge(from.rank(), nowNanos - since, (before, now) -> (before + now) / 2);
            }
            paths.came(from, piece);
            end(piece);
        }
        return since != null;
    }

    private void end(int piece) {
        entrustedNanos.remove(piece);
        trialThroughMate = trialThroughMate == piece ? NONE : trialThroughMate;
        trialThroughOwnersMate = trialThroughOwnersMate == piece ? NONE : trialThroughOwnersMate;
    }

    /** Whether this piece was entrusted to the peer and has not come. */
    boolean contains(Peer peer, int piece) {
        return paths.contains(peer, piece);
    }

    /** A mate does not bring these pieces. They are own work again, but for those that were taken back before. Returns whether there are any. */
    boolean returned(Peer mate, PieceSet pieces) {
        unable.add(mate.rank());
        PieceSet back = paths.of(mate, ledger.pieceCount()).and(pieces);
        forget(back);
        ledger.takeBackFromMate(back);
        return !back.isEmpty();
    }

    /** The peer brings nothing more: what was entrusted to it is own work again. Returns whether that is any, of a mate. */
    boolean takeBackFrom(Peer peer) {
        PieceSet pieces = paths.of(peer, ledger.pieceCount());
        forget(pieces);
        if (peer.isLocal()) {
            ledger.takeBackFromMate(pieces);
        } else {
            pieces.forEach(ledger::takeBack);
        }
        return peer.isLocal() && !pieces.isEmpty();
    }

    /** These pieces will not come. */
    void givenUp(PieceSet pieces) {
        forget(pieces);
    }

    private void forget(PieceSet pieces) {
        pieces.forEach(piece -> {
            paths.forget(piece);
            end(piece);
        });
    }

    /** Entrusts what is due. */
    void entrust(long nowNanos) {
        List<Peer> relays = relays();
        for (int cluster = 0; cluster < sources.size() && !relays.isEmpty(); cluster++) {
            PieceSet candidates = ledger.ownWork().and(sources.get(cluster));
            Peer owner = candidates.isEmpty() ? null : slowestOwner(cluster, candidates);
            if (owner != null) {
                candidates.retainAll(owner.offers().requestable());
                for (Peer relay : relays) {
                    boolean isMate = relay.isLocal() || topology.sameCluster(relay.rank(), owner.rank());
                    if (isMate && relay != owner && !candidates.isEmpty()) {
                        entrustTo(relay, owner, candidates, nowNanos);
                    }
                }
            }
        }
    }

    /** The peers that may bring something. Those come first that were not tried of late. */
    private List<Peer> relays() {
        List<Peer> relays = new ArrayList<>();
        for (Peer peer : lastTried == null ? peers.all() : peers.allAfter(lastTried)) {
            if (peer.end().isPeerDone() && peer.mayBeAsked() && !unable.contains(peer.rank())) {
                relays.add(peer);
            }
        }
        return relays;
    }

    /** The node of a cluster that would need most time for its pieces that are left; null if none has two. */
    private @Nullable Peer slowestOwner(int cluster, PieceSet candidates) {
        Peer slowest = null;
        long mostNanos = 0;
        for (Peer peer : peers.globals()) {
            if (topology.clusterOf(peer.rank()) == cluster && peer.mayBeAsked()) {
                int left = candidates.countCommon(peer.offers().requestable());
                long nanos = left > 1 ? left * peer.requests().answerNanos() : 0;
                if (nanos > mostNanos) {
                    mostNanos = nanos;
                    slowest = peer;
                }
            }
        }
        return slowest;
    }

    /** Entrusts as many of the candidates to a relay as are due, and removes them from these. */
    private void entrustTo(Peer relay, Peer owner, PieceSet candidates, long nowNanos) {
        boolean isQuick = isQuick(relay, owner);
        int due = isQuick ? Math.max(1, candidates.size() / Tuning.WORK_PER_RELAY) : 1;
        int count = Math.min(due, paths.room(relay, topology.clusterOf(owner.rank())));
        if (count > 0 && (isQuick || mayTry(relay, candidates))) {
            PieceSet pieces = candidates.slice(candidates.size() - count, candidates.size());
            candidates.removeAll(pieces);
            if (!isQuick) {
                begin(relay, pieces.first());
            }
            send(relay, topology.clusterOf(owner.rank()), pieces, nowNanos);
        }
    }

    private boolean isQuick(Peer relay, Peer owner) {
        Long nanos = nanosOfRelays.get(relay.rank());
        return nanos != null
                && nanos * Tuning.RELAY_ADVANTAGE <= owner.requests().answerNanos();
    }

    private boolean mayTry(Peer relay, PieceSet candidates) {
        return candidates.size() >= Tuning.WORK_PER_RELAY
                && (relay.isLocal() ? trialThroughMate : trialThroughOwnersMate) == NONE;
    }

    private void begin(Peer relay, int piece) {
        lastTried = relay;
        if (relay.isLocal()) {
            trialThroughMate = piece;
        } else {
            trialThroughOwnersMate = piece;
        }
    }

    private void send(Peer relay, int cluster, PieceSet pieces, long nowNanos) {
        sources.forEach(source -> source.removeAll(pieces));
        if (relay.isLocal()) {
            // No idle line takes these back: they would enter the cluster twice.
            ledger.leaveToMate(pieces);
        } else {
            ledger.entrust(pieces);
        }
        pieces.forEach(piece -> entrustedNanos.put(piece, nowNanos));
        paths.entrust(relay, cluster, pieces);
        outbox.send(relay, new Message.Work(pieces));
    }
}
