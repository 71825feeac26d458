package org.robber.core.driver;

/**
 * The answer to a request: the peer sends the piece or refuses it. A driver may extend it with what it keeps for each answer. Only its
 * {@link ExpectedAnswers} changes the state.
 */
public class ExpectedAnswer {
    private final int piece;
    private final int fromRank;
    boolean isCancelled;
    boolean isReceived;

    /** An answer of which nothing has come. */
    public ExpectedAnswer(int piece, int fromRank) {
        this.piece = piece;
        this.fromRank = fromRank;
    }

    /** The requested piece. */
    public final int piece() {
        return piece;
    }

    /** The peer that has the request. */
    public final int fromRank() {
        return fromRank;
    }

    /** Whether all of it has come. The machine may not have heard of it yet. */
    public final boolean isReceived() {
        return isReceived;
    }

    /** Whether the machine waits for it: it has not come, and its request was not cancelled. */
    public final boolean isOutstanding() {
        return !isCancelled && !isReceived;
    }
}
