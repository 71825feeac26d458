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
 * The connections at one door of which nobody knows yet whether they belong to the job. Each costs a few kilobytes, so
 * their number is limited, for each address and in all. A newcomer beyond the limit takes the place of the one that has
 * waited longest: nodes say who they are within a few round trips, so they get in however many others only wait.
 * Thread-safe.
 */
public final class Strangers {
    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

    /**
     * How many may come from one address beside the members, all of which may share it (one machine, one gateway). Small, so that a
     * single machine gone wild takes no place from the nodes on others.
     */
    static final int SPARE_PER_ADDRESS = 64;

    /** How many there may be beside the members: with 8 KiB of buffers each, 2 MiB; well below usual limits of open files. */
    static final int SPARE = 256;

    private final int mostPerAddress;
    private final int most;
    private final StrangerLog log;
    /** In the order in which they came. */
    private final Set<Visit> waiting = new LinkedHashSet<>();

    private final Map<Object, Integer> waitingByAddress = new HashMap<>();

    /**
     * @param door what they have connected to, for the log
     * @param members how many nodes there are, all of which may come at the same time
     */
    public Strangers(String door, int members) {
        this(members, new StrangerLog(door, System::nanoTime, LOG::warn));
    }

    Strangers(int members, StrangerLog log) {
        this.mostPerAddress = SPARE_PER_ADDRESS + members;
        this.most = SPARE + members;
        this.log = log;
    }

    /** One of them. */
    public final class Visit {
        private final Channel channel;
        private final SocketAddress peer;
        private final Object address;

        private Visit(Channel channel) {
            this.channel = channel;
            this.peer = channel.remoteAddress(); // which is gone when the connection is
            this.address = peer instanceof InetSocketAddress internet ? internet.getAddress() : peer;
        }

        /** It belongs to the job, or has gone: returns whether it was a stranger until now. */
        public boolean end() {
            synchronized (Strangers.this) {
                boolean waited = waiting.remove(this);
                if (waited) {
                    waitingByAddress.merge(address, -1, (count, less) -> count + less == 0 ? null : count + less);
                }
                return waited;
            }
        }

        /** It does not belong here: says so in the log, unless it is known or was sent away before. The caller closes it. */
        public void refuse(String why) {
            if (end()) {
                log.closed(peer, why);
            }
        }

        /** The address, without the port, that it has come from. */
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

    /** Somebody has connected. May close the connection of somebody else, who came before. */
    public Visit admit(Channel channel) {
        Visit visit = new Visit(channel);
        Visit tooMuch = null;
        synchronized (this) {
            waiting.add(visit);
            int fromThere = waitingByAddress.merge(visit.address, 1, Integer::sum);
            if (fromThere > mostPerAddress) {
                tooMuch = waiting.stream()
                        .filter(other -> other.from(visit.address))
                        .findFirst()
                        .orElse(null);
            } else if (waiting.size() > most) {
                tooMuch = waiting.iterator().next();
            }
        }
        if (tooMuch != null) {
            tooMuch.refuse("it did not say who it is before too many others came");
            tooMuch.channel.close();
        }
        return visit;
    }

    /** How many there are at the moment. */
    public synchronized int count() {
        return waiting.size();
    }

    /** Closes the connections of all that are left, who have done nothing wrong. */
    public void sendAway() {
        List<Visit> left;
        synchronized (this) {
            left = new ArrayList<>(waiting);
        }
        for (Visit visit : left) {
            if (visit.end()) {
                visit.channel.close();
            }
        }
        log.close();
    }
}
