package org.robber.transport.manifest;

/** What an entry of a tree is. */
public enum EntryKind {
    FILE(0),
    DIRECTORY(1),
    SYMLINK(2);

    private final int code;

    EntryKind(int code) {
        this.code = code;
    }

    /** Its number in an encoded manifest. */
    int code() {
        return code;
    }

    /**
     * The kind with this number.
     *
     * @throws ManifestException if there is none
     */
    static EntryKind ofCode(int code) {
        return switch (code) {
            case 0 -> FILE;
            case 1 -> DIRECTORY;
            case 2 -> SYMLINK;
            default -> throw new ManifestException("unknown kind of entry: " + code);
        };
    }
}
