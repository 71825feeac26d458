package org.robber.emulation.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.simulator.network.Connection;

/**
 * The connections of one node to its peers, by the peer's index. What a machine says before it has heard that a peer is
 * ready again belongs to the connection before, and is dropped.
 */
final class PeerConnections {
    /** The planned ones in ascending order, and behind them those that joined later. */
    private int[] ranks;

    private final int planned;

    /** To each peer; null where no link leads, or none any more. */
    private @Nullable Connection[] connections;

    /** Whether the machine has yet to hear that the peer is ready on this connection. */
    private boolean[] unheard;

    /** How many such news are in the inbox, of this connection or those before. */
    private int[] queuedReady;

    private int[] outdatedReady;
    private long controlBytesOfEnded;
    private boolean replaced;

    PeerConnections(int[] ranks) {
        this.ranks = ranks;
        this.planned = ranks.length;
        this.connections = new @Nullable Connection[ranks.length];
        this.unheard = new boolean[ranks.length];
        this.queuedReady = new int[ranks.length];
        this.outdatedReady = new int[ranks.length];
    }

    /** The peers, by index. */
    int[] ranks() {
        return ranks;
    }

    int indexOf(int peerRank) {
        int index = find(peerRank);
        if (index < 0) {
            throw new IllegalStateException("talks to rank " + peerRank + ", which is no peer");
        }
        return index;
    }

    /** The index of a peer, or a negative number if it is none. */
    int find(int peerRank) {
        int index = Arrays.binarySearch(ranks, 0, planned, peerRank);
        for (int i = planned; index < 0 && i < ranks.length; i++) {
            if (ranks[i] == peerRank) {
                return i;
            }
        }
        return index;
    }

    @Nullable
    Connection get(int index) {
        return connections[index];
    }

    /** The connection that takes what the machine says now, or null if there is none, or the machine has not heard of it. */
    @Nullable
    Connection speaking(int index) {
        return unheard[index] ? null : connections[index];
    }

    /** There is one more peer; returns its index. */
    int add(int peerRank) {
        int index = ranks.length;
        ranks = Arrays.copyOf(ranks, index + 1);
        connections = Arrays.copyOf(connections, index + 1);
        unheard = Arrays.copyOf(unheard, index + 1);
        queuedReady = Arrays.copyOf(queuedReady, index + 1);
        outdatedReady = Arrays.copyOf(outdatedReady, index + 1);
        ranks[index] = peerRank;
        return index;
    }

    /** The first connection to the peer. */
    void set(Connection connection) {
        connections[indexOf(connection.toRank())] = connection;
    }

    /** Another connection to the peer, of which the machine has not heard. */
    void replace(int index, Connection connection) {
        connections[index] = connection;
        unheard[index] = true;
        outdatedReady[index] = queuedReady[index];
        replaced = true;
    }

    /** Forgets the connection to a peer, and returns it. */
    @Nullable
    Connection remove(int index) {
        Connection connection = connections[index];
        connections[index] = null;
        controlBytesOfEnded += connection == null ? 0 : connection.controlBytes();
        return connection;
    }

    /** That the peer is ready is in the inbox. */
    void readyQueued(int index) {
        queuedReady[index]++;
    }

    /** The machine hears that the peer is ready. */
    void readyHeard(int index) {
        queuedReady[index]--;
        if (outdatedReady[index] > 0) {
            outdatedReady[index]--;
        } else {
            unheard[index] = false;
        }
    }

    /** The inbox has been emptied, and the machine begins anew. */
    void restarted() {
        Arrays.fill(queuedReady, 0);
        Arrays.fill(outdatedReady, 0);
        replaced = true;
    }

    /** Whether another connection to the same peer has taken the place of the one whose other direction this is. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOutdated(Connection incoming) {
        if (!replaced) {
            return false;
        }
        Connection current = connections[indexOf(incoming.fromRank())];
        return current != null && current != incoming.back();
    }

    /** Nothing is sent until {@link #resume}. */
    void pause() {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.pause();
            }
        }
    }

    void resume() {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.resume();
            }
        }
    }

    /** Bytes sent that are not bytes of pieces. */
    long controlBytes() {
        long bytes = controlBytesOfEnded;
        for (Connection connection : connections) {
            bytes += connection == null ? 0 : connection.controlBytes();
        }
        return bytes;
    }
}
