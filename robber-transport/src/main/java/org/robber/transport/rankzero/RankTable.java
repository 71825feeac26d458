package org.robber.transport.rankzero;

import com.google.common.collect.BiMap;
import com.google.common.collect.HashBiMap;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage.Announce;

/** The announcements of the nodes, by rank; that of rank 0 is there from the start. Not thread-safe. */
final class RankTable {
    private final @Nullable Announce[] holders;
    private final BiMap<ControlLink, Integer> links = HashBiMap.create();
    private int count = 1;

    RankTable(Announce rankZero) {
        this.holders = new Announce[rankZero.size()];
        holders[0] = rankZero;
    }

    /** The announcement of this rank, or null if there is none yet. */
    @Nullable
    Announce announcementOf(int rank) {
        return holders[rank];
    }

    /** The connections of the nodes that have announced themselves, with their ranks. */
    Map<ControlLink, Integer> links() {
        return links;
    }

    /** The connection of the node that has this rank; empty for rank 0 and for ranks that are free. */
    Optional<ControlLink> linkOf(int rank) {
        return Optional.ofNullable(links.inverse().get(rank));
    }

    /** The rank must be free. */
    void assign(Announce node, ControlLink link) {
        holders[node.rank()] = node;
        links.put(link, node.rank());
        count++;
    }

    /** Frees the rank of this connection; returns the node that had it, or null. */
    @Nullable
    Announce release(ControlLink link) {
        Integer rank = links.remove(link);
        if (rank == null) {
            return null;
        }
        Announce holder = holders[rank];
        holders[rank] = null;
        count--;
        return holder;
    }

    /**
     * Closes the old connection of a node that has connected again: it is dead, though rank 0 has not noticed yet. Returns whether
     * the rank is free.
     */
    boolean replaceConnection(Announce node, boolean complete) {
        Announce holder = holders[node.rank()];
        if (complete || node.rank() == 0 || !node.equals(holder)) {
            return holder == null;
        }
        ControlLink old = links.inverse().get(node.rank());
        if (old != null) {
            release(old);
            old.close("it has come again over a new connection");
        }
        return true;
    }

    boolean isFull() {
        return count == holders.length;
    }

    /** The ranks without an announcement, in order. */
    List<Integer> missing() {
        return IntStream.range(0, holders.length)
                .filter(rank -> holders[rank] == null)
                .boxed()
                .toList();
    }

    /**
     * Where all nodes are; every rank must be taken.
     *
     * @param listening the address at which rank 0 listens
     * @param machine the addresses of this machine
     */
    Whereabouts whereabouts(InetAddress listening, LocalAddresses machine) {
        InetAddress[] seen = new InetAddress[holders.length];
        links.forEach((link, rank) -> seen[rank] = link.remoteAddress());
        seen[0] = listening.isAnyLocalAddress() ? reachedAt(machine) : listening;
        boolean[] besideRankZero = new boolean[holders.length];
        for (int rank = 0; rank < holders.length; rank++) {
            besideRankZero[rank] = machine.contains(seen[rank]);
            if (besideRankZero[rank]) {
                // A machine has several addresses; that all its nodes go by one shows that they share it.
                seen[rank] = seen[0];
            }
        }
        List<Announce> nodes = new ArrayList<>();
        for (int rank = 0; rank < holders.length; rank++) {
            nodes.add(Objects.requireNonNull(holders[rank]));
        }
        return new Whereabouts(nodes, List.of(seen), besideRankZero);
    }

    /** The address at which the first node of another machine has reached this one; if there is none, the first node of this one. */
    private InetAddress reachedAt(LocalAddresses machine) {
        return IntStream.range(1, holders.length)
                .mapToObj(this::linkOf)
                .flatMap(Optional::stream)
                .min(Comparator.comparing(link -> machine.contains(link.remoteAddress())))
                .map(ControlLink::localAddress)
                .orElseGet(InetAddress::getLoopbackAddress);
    }
}
