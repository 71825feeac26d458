package org.robber.transport.rankzero;

import com.google.common.collect.BiMap;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.ImmutableList;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.sockets.Hosts;

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
     * All nodes; every rank must be taken.
     *
     * @param listening the address at which rank 0 listens
     * @param machine the addresses of this machine
     * @param forOthers whether the addresses of rank 0's machine are left empty where they have not been given: each of the
     *     others puts in the one at which it has reached rank 0
     */
    Roster roster(long seed, InetAddress listening, LocalAddresses machine, boolean forOthers) {
        InetAddress[] seen = new InetAddress[holders.length];
        InetAddress local = listening;
        for (Map.Entry<ControlLink, Integer> each : links.entrySet()) {
            seen[each.getValue()] = each.getKey().remoteAddress();
            if (each.getValue() == 1 && listening.isAnyLocalAddress()) {
                local = each.getKey().localAddress();
            }
        }
        seen[0] = local.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : local;
        boolean[] besideRankZero = new boolean[holders.length];
        for (int rank = 0; rank < holders.length; rank++) {
            besideRankZero[rank] = machine.contains(seen[rank]);
            if (besideRankZero[rank]) {
                // A machine has several addresses; that all its nodes go by one shows that they share it.
                seen[rank] = seen[0];
            }
        }
        List<ClusterNames.Place> places = new ArrayList<>();
        for (int rank = 0; rank < holders.length; rank++) {
            Announce holder = assigned(rank);
            places.add(new ClusterNames.Place(holder.cluster(), Hosts.numeric(holder.dataAddress(), seen[rank])));
        }
        List<String> clusters = ClusterNames.of(places);
        ImmutableList.Builder<Member> members = ImmutableList.builder();
        for (int rank = 0; rank < holders.length; rank++) {
            Announce holder = assigned(rank);
            String address = holder.dataAddress();
            if (address.isEmpty() && !(besideRankZero[rank] && forOthers)) {
                address = seen[rank].getHostAddress();
            }
            members.add(new Member(clusters.get(rank), holder.host(), holder.processId(), address, holder.dataPort()));
        }
        return new Roster(seed, members.build());
    }

    private Announce assigned(int rank) {
        Announce holder = holders[rank];
        if (holder == null) {
            throw new IllegalStateException("rank " + rank + " has not come");
        }
        return holder;
    }
}
