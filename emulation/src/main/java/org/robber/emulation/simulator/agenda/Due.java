package org.robber.emulation.simulator.agenda;

/** Something that will happen once; it can be put on the {@link Agenda} again after it has happened, or moved before. */
public abstract class Due {
    static final int NOWHERE = -1;

    /** Its place in the agenda's heap. */
    int place = NOWHERE;

    /** Whether it is on an agenda. */
    public final boolean isDue() {
        return place != NOWHERE;
    }

    /** What happens. It is off the agenda by then. */
    protected abstract void happen(long nowNanos);
}
