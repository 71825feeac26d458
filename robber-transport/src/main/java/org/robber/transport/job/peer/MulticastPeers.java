package org.robber.transport.job.peer;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.driver.SurvivorOverlay;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.Overlay;
import org.robber.transport.link.PeerLink;

/**
 * The peers of the multicast that goes on over the connections of a channel. A node that a loss cuts off from its cluster gets other peers.
 * Thread-safe.
 */
public final class MulticastPeers {
    private final JobContext context;
    private final LinkTable links;

    /** Connects to a peer, unless a connection is there or under way. */
    private final IntConsumer connect;

    /** Nodes that were lost to the job. */
    private final Set<Integer> lostNodes = new TreeSet<>();

    private @Nullable Current current;

    /** The multicast that was over last; null before. */
    private @Nullable Begin ended;

    /** A multicast and the ranks of this node's peers; a repair adds peers. */
    private record Current(RunningTransfer running, Set<Integer> peers, SurvivorOverlay survivors) {}

    MulticastPeers(JobContext context, LinkTable links, IntConsumer connect) {
        this.context = context;
        this.links = links;
        this.connect = connect;
    }

    /** The ranks of this node's peers in the overlay. */
    Set<Integer> peers(MulticastGroup group, Overlay overlay) {
        Set<Integer> peers = new ConcurrentSkipListSet<>();
        for (int number : overlay.peers(group.number(context.rank()))) {
            peers.add(group.rank(number));
        }
        return peers;
    }

    /** The multicast that goes on; null if there is none. */
    synchronized @Nullable RunningTransfer running() {
        Current now = current;
        return now == null ? null : now.running;
    }

    /**
     * Begins a multicast with all peers of the overlay, and connects to those without a connection. A peer that has no connection at the
     * end of the connect timeout is lost to the multicast.
     */
    public void begin(RunningTransfer running, Overlay overlay) {
        MulticastGroup group = running.group();
        Set<Integer> peers = peers(group, overlay);
        Current now = new Current(running, peers, new SurvivorOverlay(group.topology(), overlay));
        List<Integer> before;
        synchronized (this) {
            current = now;
            before = List.copyOf(lostNodes);
        }
        for (int peer : List.copyOf(peers)) {
            PeerLink link = links.get(peer);
            if (link != null) {
                running.beginSoonWith(link);
            } else if (links.isExcluded(peer)) {
                running.lose(peer);
            } else {
                connect.accept(peer);
                context.sockets()
                        .later(
                                () -> loseIfAbsent(peer, now),
                                context.connectTimeout().toMillis());
            }
        }
        before.forEach(this::repair);
    }

    @SuppressWarnings("ReferenceEquality") // this very multicast
    private void loseIfAbsent(int peer, Current since) {
        synchronized (this) {
            if (current != since || links.get(peer) != null) {
                return;
            }
        }
        since.running.lose(peer);
    }

    /** The multicast is over: every node has everything. A peer may not have heard so, if its connection broke. */
    public void end() {
        Current over;
        synchronized (this) {
            over = current;
            current = null;
            ended = over == null ? ended : over.running.begin();
        }
        if (over != null) {
            for (PeerLink link : links.all()) {
                link.channel().eventLoop().execute(() -> link.ended(over.running.begin()));
            }
        }
    }

    /** The multicast has failed. */
    public synchronized void abandon() {
        current = null;
    }

    private synchronized @Nullable Begin ended() {
        return ended;
    }

    /** A connection is open; its peer may take part. On the event loop of the connection. */
    void opened(PeerLink link) {
        Begin over = ended();
        if (over != null) {
            link.ended(over);
        }
        RunningTransfer running = runningWith(link.rank());
        if (running != null) {
            running.beginWith(link);
        }
    }

    /** There is no connection to the node, and there will be none. */
    void unreachable(int rank) {
        RunningTransfer running = runningWith(rank);
        if (running != null) {
            running.lose(rank);
        }
    }

    private synchronized @Nullable RunningTransfer runningWith(int rank) {
        Current now = current;
        return now != null && now.peers.contains(rank) ? now.running : null;
    }

    /** The node was lost to the job. */
    void nodeLost(int rank) {
        synchronized (this) {
            lostNodes.add(rank);
        }
        repair(rank);
    }

    private void repair(int lostRank) {
        Set<Integer> more = new TreeSet<>();
        Current now;
        synchronized (this) {
            now = current;
            if (now == null) {
                return;
            }
            MulticastGroup group = now.running.group();
            if (group.number(lostRank) < 0 || !now.survivors.lose(group.number(lostRank))) {
                return;
            }
            for (int number : now.survivors.current().peers(group.number(context.rank()))) {
                if (now.peers.add(group.rank(number))) {
                    more.add(group.rank(number));
                }
            }
        }
        now.running.transfer().nodeLost(now.running.group().number(lostRank));
        for (int peer : more) {
            PeerLink link = links.get(peer);
            if (link == null) {
                connect.accept(peer);
            } else {
                now.running.beginSoonWith(link);
            }
        }
    }
}
