package org.robber.transport.digest;

import java.util.List;

/** The digests that users may choose. */
public final class PieceHashers {
    private static final List<PieceHasher> ALL = List.of(new CrcPairHasher(), new Xxh3Hasher(), new Sha256Hasher());

    private PieceHashers() {}

    /** All names, the default first. */
    public static List<String> names() {
        return ALL.stream().map(PieceHasher::name).toList();
    }

    /**
     * The digest by which data of different times are compared, where this one is chosen to prove transfers: two different pieces must not
     * count as equal, however many are compared.
     */
    public static String forComparisons(String name) {
        return name.equals(CrcPairHasher.NAME) ? Xxh3Hasher.NAME : name;
    }

    /**
     * The digest of this name.
     *
     * @throws IllegalArgumentException if the name is unknown; the message lists all names
     */
    public static PieceHasher named(String name) {
        for (PieceHasher hasher : ALL) {
            if (hasher.name().equals(name)) {
                return hasher;
            }
        }
        throw new IllegalArgumentException("no digest '" + name + "': choose one of " + String.join(", ", names()));
    }
}
