package org.robber.transport.storage.source;

/**
 * Something in the source that is not copied.
 *
 * @param path where it is, for people
 * @param reason why, such as {@code a fifo} or {@code permission denied}
 */
public record SkippedEntry(String path, String reason) {}
