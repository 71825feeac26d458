package org.robber.emulation.simulator.agenda;

import org.jspecify.annotations.Nullable;

/**
 * Something that will happen once. It can be put on the {@link Agenda} again after it has happened, or moved before, unless it was
 * put there for good.
 */
public abstract class ScheduledEvent {
    static final long NEVER = -1;

    /** Its place in the order of all events; an entry of the agenda with another number is void. */
    long sequence = NEVER;

    /** Whether it can't be moved or removed before it happens. */
    boolean forGood;

    /** The event that was put for good right after it, for the same time. */
    @Nullable
    ScheduledEvent nextInRow;

    /** Whether it is on an agenda. */
    public final boolean isDue() {
        return sequence != NEVER;
    }

    /** Performs the event, which is no longer on the agenda. */
    protected abstract void happen(long nowNanos);
}
