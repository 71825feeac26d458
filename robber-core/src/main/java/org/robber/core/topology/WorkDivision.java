package org.robber.core.topology;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.piece.PieceSet;

/**
 * How a cluster divides its work at the start. The members with work get equal, contiguous shares of the pieces that their
 * cluster lacks, so each such piece belongs to exactly one member.
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244. The arithmetic is exact: with floating point, floor(members * (pieces / members)) may be one less
 * than pieces, and a last piece without an owner would never arrive.
 */
public enum WorkDivision {
    /** All members have a share, as published. */
    ALL_MEMBERS,

    /** Only {@link Gateways} have a share. */
    GATEWAYS;

    /**
     * The share of a node in the work of its cluster: in the pieces that members want and none possesses at the start. Where nodes want
     * parts, a node fetches only what it wants. A piece that several members want belongs to one of them, by its number.
     */
    public PieceSet shareOf(int rank, DataPlacement placement, Topology topology) {
        return placement.isWantedByAll()
                ? shareOfAll(rank, placement, topology)
                : shareOfWanted(rank, placement, topology);
    }

    private static PieceSet shareOfWanted(int rank, DataPlacement placement, Topology topology) {
        int cluster = topology.clusterOf(rank);
        PieceSet share = placement.wantedBy(rank).and(placement.lackedBy(cluster, topology));
        List<PieceSet> wantedByMates = new ArrayList<>();
        int place = 0;
        for (int member : topology.members(cluster)) {
            PieceSet shared = placement.wantedBy(member).and(share);
            if (member == rank) {
                place = wantedByMates.size();
            }
            if (!shared.isEmpty()) {
                wantedByMates.add(shared);
            }
        }
        if (wantedByMates.size() > 1) {
            for (int piece = share.nextFrom(0); piece >= 0; piece = share.nextFrom(piece + 1)) {
                if (!isOwner(place, piece, wantedByMates)) {
                    share.remove(piece);
                }
            }
        }
        return share;
    }

    /** Whether of the members that want the piece it is this one's turn. */
    private static boolean isOwner(int place, int piece, List<PieceSet> wantedByMembers) {
        int before = 0;
        int wanting = 0;
        for (int member = 0; member < wantedByMembers.size(); member++) {
            if (wantedByMembers.get(member).contains(piece)) {
                before += member < place ? 1 : 0;
                wanting++;
            }
        }
        return piece % wanting == before;
    }

    private PieceSet shareOfAll(int rank, DataPlacement placement, Topology topology) {
        int pieceCount = placement.pieceCount();
        int members = topology.clusterSize(topology.clusterOf(rank));
        boolean all = this == ALL_MEMBERS;
        int place = all ? topology.indexInCluster(rank) : Gateways.placeOf(rank, topology, pieceCount);
        if (place < 0) {
            return PieceSet.empty(pieceCount);
        }
        int workers = all ? members : Gateways.count(members, topology.clusterCount(), pieceCount);
        PieceSet work = placement.lackedBy(topology.clusterOf(rank), topology);
        return work.slice(boundary(place, workers, work.size()), boundary(place + 1, workers, work.size()));
    }

    /**
     * The first piece of one of so many equal parts, or the end of the part before it: floor(part * pieces / parts). Two parts differ by at
     * most one piece; with more parts than pieces, some are empty.
     */
    public static int boundary(int part, int parts, int pieceCount) {
        return (int) ((long) part * pieceCount / parts);
    }
}
