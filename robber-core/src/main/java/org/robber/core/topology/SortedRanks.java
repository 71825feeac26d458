package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * Ranks in ascending order, and where each stands. A node looks one up at every message; most of its peers are cluster mates, whose ranks
 * follow one another but for its own, so most stand where a subtraction says, and the others are searched for. Immutable.
 */
public final class SortedRanks {
    private final int[] ranks;

    /** By how much most ranks are ahead of their place, or one less. */
    private final int ahead;

    private SortedRanks(int[] ranks) {
        this.ranks = ranks;
        this.ahead = leadOfMost(ranks);
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
     * The number L for which most ranks are L or L + 1 ahead of their place; 0 if there are none. What a rank is ahead of its place never shrinks
     * from one place to the next, so these lie side by side.
     */
    private static int leadOfMost(int[] ranks) {
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

    /** How many there are. */
    public int size() {
        return ranks.length;
    }

    /** The place of a rank; if it is none of these, a negative number: {@code -1 -} the place at which it would have to stand. */
    public int placeOf(int rank) {
        int place = likelyPlaceOf(rank);
        return place >= 0 ? place : Arrays.binarySearch(ranks, rank);
    }

    /** The place of a rank that stands where most do, else -1. */
    int likelyPlaceOf(int rank) {
        int place = rank - ahead;
        if (isAt(place, rank)) {
            return place;
        }
        return isAt(place - 1, rank) ? place - 1 : -1;
    }

    private boolean isAt(int place, int rank) {
        return place >= 0 && place < ranks.length && ranks[place] == rank;
    }

    /** These and one more, which must not be among them. */
    public SortedRanks with(int rank) {
        int place = -placeOf(rank) - 1;
        checkArgument(place >= 0, "rank %s twice", rank);
        int[] more = Arrays.copyOf(ranks, ranks.length + 1);
        System.arraycopy(ranks, place, more, place + 1, ranks.length - place);
        more[place] = rank;
        return new SortedRanks(more);
    }
}
