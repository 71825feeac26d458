package org.robber.transport.storage.file;

/** Decides which entries of a source are copied. */
@FunctionalInterface
public interface EntryFilter {

    /** Takes all. */
    EntryFilter ALL = (path, isDirectory) -> true;

    /**
     * Whether an entry is copied. Nothing of a directory that is not taken is looked at.
     *
     * @param path as in the manifest: names with slashes between them, relative to the top of what is copied
     */
    boolean takes(byte[] path, boolean isDirectory);
}
