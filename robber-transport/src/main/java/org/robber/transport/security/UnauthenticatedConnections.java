package org.robber.transport.security;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections at one port that have not yet proved that they belong to the job. Each costs a few kilobytes, so
 * their number is limited, for each address and in all. A connection beyond the limit replaces the one that has
 * waited longest. Nodes prove the secret within a few round trips, so they are admitted however many others wait.
 * Thread-safe.
 */
public final class UnauthenticatedConnections {
    private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedConnections.class);

    /**
     * The limit for one address beyond the number of members, which may all share it (one machine, one gateway). It is small, so that
     * one faulty machine takes no place from nodes on others.
     */
    static final int SPARE_PER_ADDRESS = 64;

    /** The limit in all beyond the number of members: 2 MiB with 8 KiB of buffers each; well below usual limits of open files. */
    static final int SPARE = 256;

    private final int mostPerAddress;
    private final int most;
    private final RejectionLog log;
    /** In the order of their arrival. */
    private final Set<Entry> waiting = new LinkedHashSet<>();

    private final Map<Object, Integer> waitingByAddress = new HashMap<>();

    /**
     * @param port what they have connected to, for the log
     * @param members how many nodes there are, all of which may come at the same time
     */
    public UnauthenticatedConnections(String port, int members) {
        this(members, new RejectionLog(port, System::nanoTime, LOG::warn));
    }

    UnauthenticatedConnections(int members, RejectionLog log) {
        this.mostPerAddress = SPARE_PER_ADDRESS + members;
        this.most = SPARE + members;
        this.log = log;
    }

    /** One connection. */
    public final class Entry {
        private final Channel channel;
        private final SocketAddress peer;
        private final Object address;

        private Entry(Channel channel) {
            this.channel = channel;
            this.peer = channel.remoteAddress(); // which is gone when the connection is
            this.address = peer instanceof InetSocketAddress internet ? internet.getAddress() : peer;
        }

        /** Removes it: it is authenticated, or closed. Returns whether it was unauthenticated until now. */
        public boolean end() {
            synchronized (UnauthenticatedConnections.this) {
                boolean waited = waiting.remove(this);
                if (waited) {
                    waitingByAddress.merge(address, -1, (count, less) -> count + less == 0 ? null : count + less);
                }
                return waited;
            }
        }

        /** Removes it and logs why, unless it was removed before. The caller closes it. */
        public void refuse(String why) {
            if (end()) {
                log.closed(peer, why);
            }
        }

        /** The address of the peer, without the port. */
        public String from() {
            return peer instanceof InetSocketAddress internet && internet.getAddress() != null
                    ? internet.getAddress().getHostAddress()
                    : String.valueOf(peer);
        }

        private boolean from(Object other) {
            return address.equals(other);
        }

        /** Address and port, for people. */
        @Override
        public String toString() {
            return String.valueOf(peer);
        }
    }

    /** Adds a connection. Closes an older one if there are too many. */
    public Entry admit(Channel channel) {
        Entry entry = new Entry(channel);
        Entry tooMuch = null;
        synchronized (this) {
            waiting.add(entry);
            int fromThere = waitingByAddress.merge(entry.address, 1, Integer::sum);
            if (fromThere > mostPerAddress) {
                tooMuch = waiting.stream()
                        .filter(other -> other.from(entry.address))
                        .findFirst()
                        .orElse(null);
            } else if (waiting.size() > most) {
                tooMuch = waiting.iterator().next();
            }
        }
        if (tooMuch != null) {
            tooMuch.refuse("it did not announce itself before too many others came");
            tooMuch.channel.close();
        }
        return entry;
    }

    /** The number of unauthenticated connections. */
    public synchronized int count() {
        return waiting.size();
    }

    /** Closes all that are left, without a log entry for each. */
    public void closeAll() {
        List<Entry> left;
        synchronized (this) {
            left = new ArrayList<>(waiting);
        }
        for (Entry entry : left) {
            if (entry.end()) {
                entry.channel.close();
            }
        }
        log.close();
    }
}
