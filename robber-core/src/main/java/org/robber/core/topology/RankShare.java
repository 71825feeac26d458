package org.robber.core.topology;

/**
 * The members of another cluster that a member may be connected to. If both clusters lie along one line of the same length, these
 * are the members whose stretch overlaps its own. So the relation is symmetric, and no member is left out. The load of the
 * connections is spread evenly, whatever the sizes of the two clusters.
 *
 * @param from the first index in the other cluster
 * @param to one more than the last index; always larger than {@code from}
 */
record RankShare(int from, int to) {

    /**
     * Indices floor(index * M / m) up to, but not including, ceil((index + 1) * M / m), in exact arithmetic.
     *
     * @param index the member, 0..members-1
     * @param members number of members of its own cluster (m)
     * @param otherMembers number of members of the other cluster (M)
     */
    static RankShare of(int index, int members, int otherMembers) {
        long from = (long) index * otherMembers / members;
        long to = ((index + 1L) * otherMembers + members - 1) / members;
        return new RankShare((int) from, (int) to);
    }

    /** Number of members in the share, at least 1. */
    int size() {
        return to - from;
    }
}
