package org.robber.emulation.journal;

/** A file cannot serve as the journal of this experiment; the message says why. */
public final class JournalException extends Exception {

    private static final long serialVersionUID = 1L;

    JournalException(String message) {
        super(message);
    }

    JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
