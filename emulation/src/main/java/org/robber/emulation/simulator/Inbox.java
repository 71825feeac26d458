package org.robber.emulation.simulator;

import java.util.ArrayDeque;
import org.robber.core.node.Event;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.ScheduledEvent;

/** Events that wait for a free processor of their node, or for the end of a stall. */
final class Inbox extends ScheduledEvent {
    private final Agenda agenda;
    private final Processors processors;
    private final Handler handler;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long coldNanos;
    private long lastNanos;
    private long workedNanos;
    private boolean stalled;

    /** Handles events, one after the other. */
    @FunctionalInterface
    interface Handler {
        void handle(Event event, long nowNanos);
    }

    private record Waiting(Event event, long atNanos) {}

    /** An inbox of a node whose first work, of this processor time, is slow. */
    Inbox(Agenda agenda, Processors processors, long coldNanos, Handler handler) {
        this.agenda = agenda;
        this.processors = processors;
        this.coldNanos = coldNanos;
        this.handler = handler;
    }

    /** Handles an event: at once if it costs nothing and no other event waits. */
    void put(Event event, double costNanos) {
        long nowNanos = agenda.nowNanos();
        if (costNanos == 0 && !stalled && waiting.isEmpty() && lastNanos <= nowNanos) {
            handler.handle(event, nowNanos);
        } else {
            waiting.add(new Waiting(event, stalled ? nowNanos : reserve(costNanos)));
            schedule();
        }
    }

    /** Occupies the processors with work that no event waits for. */
    void occupy(double costNanos) {
        lastNanos = reserve(costNanos);
    }

    private long reserve(double warmNanos) {
        double costNanos = warmNanos;
        if (coldNanos > 0) {
            costNanos *= NodeCosts.COLD_FACTOR;
            coldNanos -= (long) costNanos;
        }
        // A node does one thing at a time.
        lastNanos = processors.work(Math.max(agenda.nowNanos(), lastNanos), costNanos);
        workedNanos += (long) costNanos;
        return lastNanos;
    }

    /** Processor time of all its work so far. */
    long workedNanos() {
        return workedNanos;
    }

    /** Discards all waiting events. */
    void clear() {
        waiting.clear();
        agenda.remove(this);
    }

    void stall() {
        stalled = true;
        agenda.remove(this);
    }

    void resume() {
        stalled = false;
        schedule();
    }

    private void schedule() {
        if (!stalled && !isDue() && !waiting.isEmpty()) {
            agenda.put(this, Math.max(agenda.nowNanos(), waiting.element().atNanos));
        }
    }

    @Override
    protected void happen(long nowNanos) {
        handler.handle(waiting.remove().event, nowNanos);
        schedule();
    }
}
