package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * Ranks in ascending order, with a quick search for the index of a rank: a node looks one up for each message. Peers in the same
 * cluster mostly have consecutive ranks, so their index is found by a subtraction; others are found by binary search. Immutable.
 */
public final class SortedRanks {
    private final int[] ranks;

    /** The difference of rank and index, or one less than that, for as many ranks as possible. */
    private final int offset;

    private SortedRanks(int[] ranks) {
        this.ranks = ranks;
        this.offset = commonOffset(ranks);
    }

    /** These ranks, which must ascend; the array must not be changed afterwards. */
    public static SortedRanks of(int... ascending) {
        for (int place = 1; place < ascending.length; place++) {
            checkArgument(
                    ascending[place - 1] < ascending[place],
                    "rank %s is followed by %s",
                    ascending[place - 1],
                    ascending[place]);
        }
        return new SortedRanks(ascending);
    }

    /**
     * The number d for which the difference of rank and index is d or d + 1 for most ranks; 0 if there are no ranks. That difference never
     * decreases from one index to the next, so a single pass finds it.
     */
    private static int commonOffset(int[] ranks) {
        int best = 0;
        int most = 0;
        int start = 0;
        for (int place = 0; place < ranks.length; place++) {
            while (ranks[start] - start < ranks[place] - place - 1) {
                start++;
            }
            if (place - start >= most) {
                most = place - start + 1;
                best = ranks[start] - start;
            }
        }
        return best;
    }

    /** Number of ranks. */
    public int size() {
        return ranks.length;
    }

    /** The index of a rank, or {@code -1 - i} where i is the index at which it would be inserted. */
    public int indexOf(int rank) {
        int place = guessIndex(rank);
        return place >= 0 ? place : Arrays.binarySearch(ranks, rank);
    }

    /** The index of a rank whose offset is the common one, else -1. */
    int guessIndex(int rank) {
        int place = rank - offset;
        if (isAt(place, rank)) {
            return place;
        }
        return isAt(place - 1, rank) ? place - 1 : -1;
    }

    private boolean isAt(int place, int rank) {
        return place >= 0 && place < ranks.length && ranks[place] == rank;
    }

    /** A copy with one more rank, which must not be among these. */
    public SortedRanks with(int rank) {
        int place = -indexOf(rank) - 1;
        checkArgument(place >= 0, "rank %s twice", rank);
        int[] more = Arrays.copyOf(ranks, ranks.length + 1);
        System.arraycopy(ranks, place, more, place + 1, ranks.length - place);
        more[place] = rank;
        return new SortedRanks(more);
    }
}
