package org.robber.core.transfer;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.NodeSetup;

/** The peers of a node, smallest rank first. */
public final class PeerTable {
    private final int[] ranks;
    private final ImmutableList<Peer> all;
    private final ImmutableList<Peer> locals;
    private final ImmutableList<Peer> globals;

    private PeerTable(int[] ranks, ImmutableList<Peer> all) {
        this.ranks = ranks;
        this.all = all;
        this.locals = all.stream().filter(Peer::isLocal).collect(ImmutableList.toImmutableList());
        this.globals = all.stream().filter(peer -> !peer.isLocal()).collect(ImmutableList.toImmutableList());
    }

    /** The peers that the overlay gives to the node. */
    public static PeerTable of(NodeSetup setup) {
        int[] ranks = setup.overlay().peers(setup.rank());
        return new PeerTable(
                ranks,
                Arrays.stream(ranks)
                        .mapToObj(rank -> new Peer(
                                rank,
                                setup.topology().sameCluster(setup.rank(), rank),
                                setup.pieceCount(),
                                setup.requestWindow()))
                        .collect(ImmutableList.toImmutableList()));
    }

    /** The peer with this rank, or null if that node isn't a peer. */
    public @Nullable Peer find(int rank) {
        int index = Arrays.binarySearch(ranks, rank);
        return index < 0 ? null : all.get(index);
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

    /** All peers, beginning after the given one and ending with it: a fair order for second attempts. */
    ImmutableList<Peer> allAfter(Peer peer) {
        int next = Arrays.binarySearch(ranks, peer.rank()) + 1;
        return ImmutableList.<Peer>builderWithExpectedSize(ranks.length)
                .addAll(all.subList(next, ranks.length))
                .addAll(all.subList(0, next))
                .build();
    }
}
