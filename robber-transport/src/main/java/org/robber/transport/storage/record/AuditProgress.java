package org.robber.transport.storage.record;

/** Told how much of a copy has been read, by the thread that reads. What it throws ends the audit. */
public interface AuditProgress {

    /** The copy has so many bytes, and reading begins. */
    void begin(long totalBytes);

    /** So many more bytes have been read, or could not be. */
    void read(long bytes);
}
