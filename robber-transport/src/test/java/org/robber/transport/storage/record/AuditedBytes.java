package org.robber.transport.storage.record;

/** Counts what an audit has read. */
final class AuditedBytes implements AuditProgress {

    long total = -1;
    long read;

    @Override
    public void begin(long totalBytes) {
        total = totalBytes;
    }

    @Override
    public void read(long bytes) {
        read += bytes;
    }
}
