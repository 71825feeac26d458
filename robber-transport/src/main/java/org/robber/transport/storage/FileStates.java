package org.robber.transport.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

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
}
