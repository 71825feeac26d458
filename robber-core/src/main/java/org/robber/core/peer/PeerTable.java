package org.robber.core.peer;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.NodeSetup;

/**
 * The peers of a node, smallest rank first. They are those that the overlay gives it, and may become more when the overlay is
 * repaired; no peer is removed, since a lost peer may return.
 */
public final class PeerTable {
    private final NodeSetup setup;
    /** In ascending order, as {@link #all}. */
    private int[] ranks;

    private ImmutableList<Peer> all;
    private ImmutableList<Peer> locals;
    private ImmutableList<Peer> globals;

    /** The peers that the overlay gives to the node. */
    public PeerTable(NodeSetup setup) {
        this.setup = setup;
        int[] planned = setup.overlay().peers(setup.rank());
        this.ranks = planned;
        this.all = Arrays.stream(planned).mapToObj(this::newPeer).collect(ImmutableList.toImmutableList());
        this.locals = all.stream().filter(Peer::isLocal).collect(ImmutableList.toImmutableList());
        this.globals = all.stream().filter(peer -> !peer.isLocal()).collect(ImmutableList.toImmutableList());
    }

    private Peer newPeer(int rank) {
        return new Peer(
                rank,
                setup.topology().sameCluster(setup.rank(), rank),
                setup.pieceCount(),
                new OutstandingRequests(setup.requestWindow(), setup.pieceBytes()));
    }

    /** The peer with this rank, or null if that node isn't a peer. */
    public @Nullable Peer find(int rank) {
        int index = Arrays.binarySearch(ranks, rank);
        return index < 0 ? null : all.get(index);
    }

    /** The peer with this rank, which becomes one if it is none. */
    public Peer findOrAdd(int rank) {
        Peer known = find(rank);
        if (known != null) {
            return known;
        }
        checkArgument(
                rank >= 0 && rank < setup.topology().size() && rank != setup.rank(), "rank %s can't be a peer", rank);
        Peer peer = newPeer(rank);
        all = with(all, peer);
        ranks = all.stream().mapToInt(Peer::rank).toArray();
        locals = peer.isLocal() ? with(locals, peer) : locals;
        globals = peer.isLocal() ? globals : with(globals, peer);
        return peer;
    }

    private static ImmutableList<Peer> with(ImmutableList<Peer> peers, Peer newcomer) {
        ImmutableList.Builder<Peer> more = ImmutableList.builderWithExpectedSize(peers.size() + 1);
        peers.stream().filter(peer -> peer.rank() < newcomer.rank()).forEach(more::add);
        more.add(newcomer);
        peers.stream().filter(peer -> peer.rank() > newcomer.rank()).forEach(more::add);
        return more.build();
    }

    /** All peers. */
    public ImmutableList<Peer> all() {
        return all;
    }

    /** The cluster mates. */
    public ImmutableList<Peer> locals() {
        return locals;
    }

    /** The peers in other clusters. */
    public ImmutableList<Peer> globals() {
        return globals;
    }

    /** Whether a peer in another cluster is neither lost nor stalled. */
    public boolean canReachOtherClusters() {
        return globals.stream().anyMatch(peer -> !peer.isLost() && !peer.isStalled());
    }

    /** All peers, beginning after the given one and ending with it: a fair order for second attempts. */
    public ImmutableList<Peer> allAfter(Peer peer) {
        int next = Arrays.binarySearch(ranks, peer.rank()) + 1;
        return ImmutableList.<Peer>builderWithExpectedSize(all.size())
                .addAll(all.subList(next, all.size()))
                .addAll(all.subList(0, next))
                .build();
    }
}
