package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.core.transfer.Outbox;
import org.robber.core.tuning.Tuning;

/**
 * Work stealing between the lines of a node, where nodes want different pieces. Over the direct line from its owner, a piece may come
 * slowly. So a node entrusts pieces that only it wants to nodes of third clusters, its relays. Mates are relays, too ({@link MateRelays}). A line from a third cluster gets pieces of
 * lines that have more to carry ({@link LineLoads}), but not more than it brings ({@link RelayPaths}). All lines then end at about the same time.
 *
 * <p>A relay fetches these pieces from their owners and announces them, as it announces each piece that comes. The node then requests
 * them of the relay. A line that has nothing else to do fetches pieces itself that were entrusted to relays and are not there.
 *
 * <p>Where nodes produce pieces, only inputs of the next products are load. It changes as products come, so lines relay only pieces of lines
 * with a multiple of their load. A relay fetches its own pieces first.
 *
 * <p>In all other calls, one of four requests is for the sake of relays, if possible. At an owner it is for a piece that this node brings
 * for others, and at a relay for a piece that the relay brings. If own pieces always came first, the lines to third clusters would be
 * idle until then.
 */
final class Relays {
    private final boolean areUsed;
    private final DataPlacement placement;
    private final Topology topology;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final SeededRandom random;
    private final Outbox outbox;
    private final LineBudgets budgets;
    private final LineLoads lines;
    private final RelayPaths paths;
    private final RelaySide side;
    private final MateRelays mates;
    private final int rank;

    /** By cluster: pieces that only this node wants, that a node there owns, and that were never entrusted. */
    private final List<PieceSet> sources = new ArrayList<>();

    private boolean lineHasChanged;

    private int nextRelay;

    /** @param mayBeUsed whether the strategy has relays, if the call has them */
    Relays(NodeParts parts, PieceExchange exchange, boolean mayBeUsed) {
        NodeSetup setup = parts.setup();
        this.placement = setup.placement();
        this.topology = setup.topology();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.random = parts.random();
        this.outbox = parts.outbox();
        this.budgets = parts.lines();
        this.areUsed = mayBeUsed
                && placement.isRelayed()
                && topology.clusterCount() > 1
                && parts.variant() == StealingVariant.IMPROVED;
        this.lines = new LineLoads(topology.clusterCount(), placement.hasProducts() ? Tuning.LOAD_RATIO_FOR_RELAY : 1);
        this.side = new RelaySide(parts, exchange);
        this.mates = new MateRelays(parts, sources);
        this.rank = setup.rank();
        this.paths = new RelayPaths(topology.clusterCount());
        if (areUsed) {
            PieceSet sole = placement.wantedOnlyBy(setup.rank()).and(ledger.ownWork());
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                sources.add(placement.ownedBy(cluster, topology).and(sole));
            }
        }
    }

    /** Whether nodes may bring pieces for others, and so stay until all are done. */
    boolean areUsed() {
        return areUsed;
    }

    /** A piece came from a peer. */
    void pieceStored(Peer from, int piece, long nowNanos) {
        if (areUsed) {
            lineHasChanged |= mates.pieceStored(from, piece, nowNanos);
            if (!from.isLocal()) {
                paths.came(from, piece);
                lineHasChanged = true;
            }
        }
    }

    /** A peer offers these pieces. Those that were entrusted to it can be requested. */
    void offered(Peer peer, PieceSet pieces) {
        if (areUsed) {
            side.offered(peer, pieces);
            if (!peer.isLocal()) {
                pieces.and(ledger.entrusted()).forEach(piece -> takeBackIfOf(peer, piece));
                lineHasChanged = true;
            }
        }
    }

    /** A peer offers this piece. */
    void offered(Peer peer, int piece) {
        side.offered(peer, piece);
        if (ledger.entrusted().contains(piece)) {
            lineHasChanged = true;
            takeBackIfOf(peer, piece);
        }
    }

    private void takeBackIfOf(Peer peer, int piece) {
        if (paths.contains(peer, piece) || mates.contains(peer, piece)) {
            ledger.takeBack(piece);
        }
    }

    /** The peer is gone or needs nothing more: nothing is brought for it any more. */
    void bringNothingFor(Peer peer) {
        side.bringNothingFor(peer);
    }

    /**
     * The peer is gone, or nothing comes from it: what was entrusted to it is own work again. Returns whether other clusters have to be told
     * of it.
     */
    boolean takeBackFrom(Peer peer) {
        if (!areUsed) {
            return false;
        }
        paths.of(peer, ledger.pieceCount()).forEach(ledger::takeBack);
        paths.forget(peer);
        lineHasChanged = true;
        return mates.takeBackFrom(peer);
    }

    /** These pieces will not come. */
    void givenUp(PieceSet pieces) {
        mates.givenUp(pieces);
    }

    /** Returns to mates what cannot be got any more. A peer is gone, has stopped, or nothing comes from it. */
    void returnUnobtainable() {
        if (areUsed) {
            side.returnUnobtainable();
        }
    }

    /** A line may have become idle, or have got more to carry. A relay without memory never brings what it was entrusted. */
    void loadChanged() {
        lineHasChanged = true;
    }

    /** Whether these pieces of a mate were entrusted or are returned. Work that was stolen is wanted by both. */
    boolean areEntrusted(Peer mate, PieceSet work) {
        int piece = work.first();
        return areUsed
                && piece >= 0
                && piece < ledger.pieceCount()
                && !(placement.isWantedBy(rank, piece) && placement.isWantedBy(mate.rank(), piece));
    }

    /** A node entrusts pieces to this one, or a mate returns them; returns whether own work has grown. */
    boolean workReceived(Peer peer, PieceSet pieces) {
        unless(areUsed, "work from another cluster");
        unless(pieces.capacity() == ledger.pieceCount(), "work on other data");
        if (peer.isLocal() && !pieces.isEmpty() && placement.isWantedBy(rank, pieces.first())) {
            return mates.returned(peer, pieces);
        }
        side.bring(peer, pieces);
        return false;
    }

    /** A piece to request of the peer for the sake of relays, or -1: in one of four cases, if there is one. */
    int pick(Peer peer) {
        if (!areUsed || peer.isLocal()) {
            return -1;
        }
        PieceSet entrusted = paths.of(peer, ledger.pieceCount());
        entrusted.retainAll(ledger.ownWork());
        PieceSet candidates = entrusted.isEmpty() && !placement.hasProducts() ? ledger.unaskedForOthers() : entrusted;
        return candidates.isEmpty() || random.nextInt(Tuning.REQUESTS_PER_RELAYED) != 0
                ? -1
                : candidates.randomCommon(peer.offers().requestable(), random);
    }

    /** A piece to request of the peer for others, when there is none for this node, or -1. */
    int pickForOthers(Peer peer) {
        return areUsed && !peer.isLocal()
                ? ledger.unaskedForOthers().randomCommon(peer.offers().requestable(), random)
                : -1;
    }

    /** Entrusts what is due; called after each event. Returns whether lines may request more than they could before. */
    boolean afterEvent(long nowNanos) {
        boolean mayRequest = side.hasCancelled();
        if (!areUsed || (!lineHasChanged && !mayRequest)) {
            return false;
        }
        lineHasChanged = false;
        mayRequest |= takeBackForIdleLines();
        if (!ledger.ownWork().isEmpty()) {
            mates.entrust(nowNanos);
            measureLines();
            for (int i = 0; i < peers.globals().size(); i++) {
                entrustTo(peers.globals().get((nextRelay + i) % peers.globals().size()));
            }
            nextRelay++;
        }
        return mayRequest;
    }

    private boolean takeBackForIdleLines() {
        if (ledger.entrusted().isEmpty()) {
            return false;
        }
        boolean tookBack = false;
        for (Peer peer : peers.globals()) {
            PieceSet offers = peer.offers().requestable();
            if (peer.mayBeAsked()
                    && budgets.requests(peer) < Tuning.SMALLEST_REQUEST_WINDOW
                    && ledger.ownWork().countCommon(offers) == 0) {
                int piece = ledger.entrusted().and(offers).first();
                if (piece >= 0) {
                    ledger.takeBack(piece);
                    tookBack = true;
                }
            }
        }
        return tookBack;
    }

    private void measureLines() {
        for (int cluster = 0; cluster < sources.size(); cluster++) {
            int left = ledger.ownWork().countCommon(sources.get(cluster));
            int movable = left == 0 || !placement.hasProducts()
                    ? left
                    : candidates(cluster).size();
            lines.setLeft(cluster, movable);
            lines.addLoad(cluster, left - movable);
        }
        for (Peer peer : peers.globals()) {
            lines.addLoad(clusterOf(peer), Math.max(peer.requests().size(), paths.count(peer)));
        }
    }

    /** The pieces that may be entrusted, of those that a cluster owns: where nodes produce pieces, those that were produced. */
    private PieceSet candidates(int cluster) {
        PieceSet candidates = ledger.ownWork().and(sources.get(cluster));
        if (placement.hasProducts() && !candidates.isEmpty()) {
            PieceSet offered = PieceSet.empty(ledger.pieceCount());
            for (Peer peer : peers.globals()) {
                if (clusterOf(peer) == cluster) {
                    offered.addAll(peer.offers().requestable());
                }
            }
            candidates.retainAll(offered);
        }
        return candidates;
    }

    private void entrustTo(Peer relay) {
        int to = clusterOf(relay);
        for (int from = 0; from < sources.size() && relay.mayBeAsked(); from++) {
            if (from != to && lines.left(from) > 1) {
                int part = Math.max(1, lines.left(from) / Tuning.WORK_PER_RELAY);
                int count = Math.min(Math.min(lines.surplus(from, to), part), paths.room(relay, from));
                if (count > 0) {
                    PieceSet candidates = candidates(from);
                    // The line itself requests its pieces in ascending order.
                    PieceSet pieces = candidates.slice(candidates.size() - count, candidates.size());
                    sources.forEach(source -> source.removeAll(pieces));
                    ledger.entrust(pieces);
                    paths.entrust(relay, from, pieces);
                    lines.move(count, from, to);
                    outbox.send(relay, new Message.Work(pieces));
                }
            }
        }
    }

    private int clusterOf(Peer peer) {
        return topology.clusterOf(peer.rank());
    }
}
