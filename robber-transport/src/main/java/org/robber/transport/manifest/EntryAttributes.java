package org.robber.transport.manifest;

/**
 * What every entry of a tree has besides its name.
 *
 * @param mode permission bits with set-user-id, set-group-id and sticky: 0..07777
 * @param mtimeSeconds time of the last change, in seconds since 1970; at most {@link #MAX_SECONDS} away from it
 * @param mtimeNanos nanoseconds to add to that, 0..999,999,999
 */
public record EntryAttributes(int mode, long mtimeSeconds, int mtimeNanos) {

    /** Some 34,000 years: further than any file system reaches, and still a time that the JDK can express. */
    public static final long MAX_SECONDS = 1L << 40;

    static final int MODE_BITS = 07777;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    /**
     * @throws ManifestException if a value is out of range
     */
    public EntryAttributes {
        if ((mode & ~MODE_BITS) != 0) {
            throw new ManifestException("mode 0" + Integer.toOctalString(mode) + " has bits beyond 07777");
        }
        if (mtimeSeconds > MAX_SECONDS || mtimeSeconds < -MAX_SECONDS) {
            throw new ManifestException("mtime of " + mtimeSeconds + " seconds is out of range");
        }
        if (mtimeNanos < 0 || mtimeNanos >= NANOS_PER_SECOND) {
            throw new ManifestException("mtime with " + mtimeNanos + " nanoseconds");
        }
    }

    /** Whether the time of the last change is the same. */
    public boolean isSameTime(EntryAttributes other) {
        return mtimeSeconds == other.mtimeSeconds && mtimeNanos == other.mtimeNanos;
    }
}
