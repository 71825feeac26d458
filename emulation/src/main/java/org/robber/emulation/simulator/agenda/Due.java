package org.robber.emulation.simulator.agenda;

import org.jspecify.annotations.Nullable;

/**
 * Something that will happen once. It can be put on the {@link Agenda} again after it has happened, or moved before, unless it was put there for
 * good.
 */
public abstract class Due {
    static final long NEVER = -1;

    /** Its place in the order of what was put; an entry of the agenda with another number is void. */
    long sequence = NEVER;

    /** Whether it can't be moved or removed before it happens. */
    boolean forGood;

    /** What was put for good right after it, for the same time. */
    @Nullable
    Due nextInRow;

    /** Whether it is on an agenda. */
    public final boolean isDue() {
        return sequence != NEVER;
    }

    /** What happens. It is off the agenda by then. */
    protected abstract void happen(long nowNanos);
}
