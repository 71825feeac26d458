package org.robber.transport.storage.copy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.robber.transport.storage.file.FileStat;

/** How far each file of a staged tree has come. Thread-safe. */
final class FileStates {

    /** What there is of a file. */
    enum State {
        /** It does not exist. */
        ABSENT,
        /** It exists, in part or whole. */
        WRITTEN,
        /** It is whole and has its time. */
        TIMED,
        /** It is the very file that is in its final place already, and must not be touched. */
        SHOWN
    }

    /** Null stands for {@link State#ABSENT}: a new array needs no filling. */
    private final AtomicReferenceArray<@Nullable State> states;

    /** The times of the last change of what is {@link State#SHOWN}, in nanoseconds; null if there is no such file. */
    @GuardedBy("this")
    private long @Nullable [] shownNanos;

    FileStates(int entries) {
        states = new AtomicReferenceArray<>(entries);
    }

    State of(int entry) {
        State state = states.get(entry);
        return state == null ? State.ABSENT : state;
    }

    void set(int entry, State state) {
        states.set(entry, state);
    }

    /** Notes that the file is in its final place already, with this time. */
    synchronized void setShown(int entry, FileStat stat) {
        if (shownNanos == null) {
            shownNanos = new long[states.length()];
        }
        shownNanos[entry] = nanos(stat.mtime());
        set(entry, State.SHOWN);
    }

    /** Whether the file has changed since it was {@link #setShown shown}. */
    synchronized boolean hasChanged(int entry, FileStat now) {
        return shownNanos == null || shownNanos[entry] != nanos(now.mtime());
    }

    /** An overflow does no harm, since values are only compared. */
    private static long nanos(Instant time) {
        return 1_000_000_000L * time.getEpochSecond() + time.getNano();
    }
}
