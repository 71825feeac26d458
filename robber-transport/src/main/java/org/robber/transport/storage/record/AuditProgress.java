package org.robber.transport.storage.record;

/** Hears from the thread that reads a copy how much has been read. An exception that it throws ends the audit. */
public interface AuditProgress {

    /** The copy has so many bytes, and reading begins. */
    void begin(long totalBytes);

    /** So many more bytes have been read, or could not be. */
    void read(long bytes);
}
