package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * slowly. So a node entrusts pieces that only it wants to nodes of third clusters, its relays. A line from a third cluster gets pieces of
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
    private final PieceExchange exchange;
    private final SeededRandom random;
    private final Outbox outbox;
    private final LineBudgets budgets;
    private final LineLoads lines;
    private final RelayPaths paths;

    /** By cluster: pieces that only this node wants, that a node there owns, and that were never entrusted. */
    private final List<PieceSet> sources = new ArrayList<>();

    /** What this node is to bring for each node, by its rank. */
    private final Map<Integer, PieceSet> wanted = new HashMap<>();

    /** How many more pieces this node brings for others. */
    private int room;

    private boolean lineHasChanged;

    /** Whether requests were cancelled, so that others may be made. */
    private boolean hasCancelled;

    private int nextRelay;

    /** @param mayBeUsed whether the strategy has relays, if the call has them */
    Relays(NodeParts parts, PieceExchange exchange, boolean mayBeUsed) {
        NodeSetup setup = parts.setup();
        this.placement = setup.placement();
        this.topology = setup.topology();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.exchange = exchange;
        this.random = parts.random();
        this.outbox = parts.outbox();
        this.budgets = parts.lines();
        this.areUsed = mayBeUsed
                && placement.isRelayed()
                && topology.clusterCount() > 2
                && parts.variant() == StealingVariant.IMPROVED;
        this.room = placement.mostRelayedPieces();
        this.lines = new LineLoads(topology.clusterCount(), placement.hasProducts() ? Tuning.LOAD_RATIO_FOR_RELAY : 1);
        this.paths = new RelayPaths(topology.clusterCount(), Tuning.LARGEST_RELAY_WINDOW);
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

    /** By cluster: pieces that only this node wants, that a node there owns, and that were never entrusted; empty without relays. A live view. */
    List<PieceSet> sources() {
        return sources;
    }

    /** A piece came from a peer. */
    void pieceStored(Peer from, int piece) {
        if (areUsed && !from.isLocal()) {
            paths.came(from, piece);
            lineHasChanged = true;
        }
    }

    /** A peer offers these pieces. Those that were entrusted to it can be requested. */
    void offered(Peer peer, PieceSet pieces) {
        if (areUsed && !peer.isLocal()) {
            if (wanted.containsKey(peer.rank())) {
                pieces.forEach(piece -> stopBringing(peer, piece));
            }
            pieces.and(ledger.entrusted())
                    .and(paths.of(peer, ledger.pieceCount()))
                    .forEach(ledger::takeBack);
            lineHasChanged = true;
        }
    }

    /** A peer offers this piece. */
    void offered(Peer peer, int piece) {
        stopBringing(peer, piece);
        if (ledger.entrusted().contains(piece)) {
            lineHasChanged = true;
            if (paths.contains(peer, piece)) {
                ledger.takeBack(piece);
            }
        }
    }

    /** A node that has got a piece otherwise needs no relay for it. It may not even have it any more, once it has made a product of it. */
    private void stopBringing(Peer peer, int piece) {
        PieceSet ofPeer = wanted.get(peer.rank());
        if (ofPeer != null && ofPeer.remove(piece)) {
            drop(piece);
        }
    }

    /** The peer is gone or needs nothing more: what this node was to bring for it is dropped. Else requests would outlive the call. */
    void bringNothingFor(Peer peer) {
        PieceSet ofPeer = wanted.remove(peer.rank());
        if (ofPeer != null) {
            ofPeer.forEach(this::drop);
        }
    }

    private void drop(int piece) {
        boolean wasUnasked = ledger.unasked().contains(piece);
        if (!ledger.stopBringing(piece)) {
            return;
        }
        if (wasUnasked) {
            room++;
            return;
        }
        for (Peer owner : peers.globals()) {
            if (owner.requests().cancel(piece)) {
                outbox.send(owner, new Message.Cancel(piece));
                hasCancelled = true;
            }
        }
    }

    /** The peer is gone, or nothing comes from it: what was entrusted to it is own work again. */
    void takeBackFrom(Peer peer) {
        if (areUsed) {
            paths.of(peer, ledger.pieceCount()).forEach(ledger::takeBack);
            paths.forget(peer);
            lineHasChanged = true;
        }
    }

    /** A line may have become idle, or have got more to carry. A relay without memory never brings what it was entrusted. */
    void loadChanged() {
        lineHasChanged = true;
    }

    /** A node of another cluster entrusts pieces to this one. It does not bring those that exceed its memory: idle lines fetch them. */
    void workReceived(Peer peer, PieceSet pieces) {
        unless(areUsed, "work from another cluster");
        unless(pieces.capacity() == ledger.pieceCount(), "work on other data");
        PieceSet more = ledger.bring(pieces, room);
        room -= more.size();
        wanted.computeIfAbsent(peer.rank(), rank -> PieceSet.empty(ledger.pieceCount()))
                .addAll(more);
        if (!more.isEmpty()) {
            for (Peer owner : peers.globals()) {
                if (owner.isReady() && placement.isSource(owner.rank(), more)) {
                    exchange.desireWorkOf(owner);
                }
            }
        }
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
    boolean afterEvent() {
        if (!areUsed || (!lineHasChanged && !hasCancelled)) {
            return false;
        }
        lineHasChanged = false;
        boolean mayRequest = takeBackForIdleLines() || hasCancelled;
        hasCancelled = false;
        if (!ledger.ownWork().isEmpty()) {
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
            int movable = candidates(cluster).size();
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
