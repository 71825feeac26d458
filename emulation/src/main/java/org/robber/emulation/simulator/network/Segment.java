package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.emulation.simulator.agenda.ScheduledEvent;

/**
 * A part of a connection's stream that travels as one: through the stages of its connection, and back as an
 * acknowledgement. Reused afterwards.
 */
final class Segment extends ScheduledEvent {
    private final Network network;

    private Connection connection;

    /** When its first and last byte come to where it is; both may lie a little ahead of the agenda. */
    long headNanos;

    long tailNanos;
    long sentNanos;

    int streamBytes;
    long wireBytes;
    boolean hasData;

    /** Whether it met a queue that was too long. */
    boolean marked;

    /** Messages and pieces that end in it. */
    @Nullable
    StreamItem firstItem;

    private @Nullable StreamItem lastItem;

    /** Behind it in a stage's queue, or in the pool. */
    @Nullable
    Segment next;

    private int hop;
    private boolean delayed;
    private boolean arrived;

    Segment(Network network, Connection connection) {
        this.network = network;
        this.connection = connection;
    }

    /** Makes it as new. */
    Segment reset(Connection newConnection) {
        connection = newConnection;
        streamBytes = 0;
        wireBytes = 0;
        hasData = false;
        marked = false;
        firstItem = null;
        lastItem = null;
        next = null;
        hop = 0;
        delayed = false;
        arrived = false;
        return this;
    }

    /** Notes an item that ends in this segment. */
    void add(StreamItem item) {
        item.next = null;
        if (lastItem == null) {
            firstItem = item;
        } else {
            lastItem.next = item;
        }
        lastItem = item;
    }

    /** Enters the network. */
    void depart(long nowNanos) {
        headNanos = nowNanos;
        tailNanos = nowNanos;
        sentNanos = nowNanos;
        proceed();
    }

    /** Leaves the stage that it is in. */
    void leave(long atNanos) {
        tailNanos = atNanos;
        if (hop++ == 0) {
            connection.leftFirstStage();
        }
        proceed();
    }

    private void proceed() {
        if (hop == connection.route().stagesBeforeDelay() && !delayed) {
            delayed = true;
            if (connection.delay(this)) {
                network.agenda().putForGood(this, tailNanos);
                return;
            }
        }
        Stage stage = connection.route().stage(hop);
        if (stage != null) {
            stage.arrive(this);
        } else if (tailNanos > network.agenda().nowNanos()) {
            network.agenda().putForGood(this, tailNanos);
        } else {
            deliver(tailNanos);
        }
    }

    private void deliver(long nowNanos) {
        arrived = true;
        connection.deliver(this, nowNanos);
    }

    @Override
    protected void happen(long nowNanos) {
        if (arrived) {
            connection.acknowledged(this, nowNanos);
        } else {
            proceed();
        }
    }
}
