package org.robber.emulation.simulator.agenda;

import org.jspecify.annotations.Nullable;

/** Something that will happen once; it can be put on the {@link Agenda} again after it has happened, or moved before. */
public abstract class Due {
    static final long NEVER = -1;

    /** The number of its entry on the agenda; entries with other numbers are void. */
    long sequence = NEVER;

    /** What was put for good right after it, for the same time. */
    @Nullable
    Due next;

    /** Whether it is on an agenda. */
    public final boolean isDue() {
        return sequence != NEVER;
    }

    /** What happens. It is off the agenda by then. */
    protected abstract void happen(long nowNanos);
}
