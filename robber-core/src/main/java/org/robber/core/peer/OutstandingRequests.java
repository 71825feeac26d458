package org.robber.core.peer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Arrays;
import org.robber.core.piece.SmallPieceSet;

/**
 * The requests outstanding at one peer, at most as many as the window holds, and the cancelled ones that the peer may still answer.
 * There are few (5 as published), so a short array that is searched from its start is faster than a set.
 */
public final class OutstandingRequests {
    private static final int FIRST_LENGTH = 8;

    private final WindowEstimator estimator;
    private int window;
    private int[] pieces;
    private long[] askedNanos;
    private int size;
    private SmallPieceSet cancelled = SmallPieceSet.NONE;

    /**
     * No requests.
     *
     * @param window how many requests may be outstanding, at first or always; at least 1
     * @param pieceBytes size of every piece but the last
     */
    public OutstandingRequests(int window, int pieceBytes) {
        checkArgument(window >= 1, "window: %s", window);
        this.window = window;
        this.estimator = new WindowEstimator(pieceBytes);
        this.pieces = new int[Math.min(window, FIRST_LENGTH)];
        this.askedNanos = new long[pieces.length];
    }

    /** How many requests are outstanding. */
    public int size() {
        return size;
    }

    /** Whether one more request may be made. */
    public boolean hasRoom() {
        return size < window;
    }

    /** Whether this piece is outstanding. */
    public boolean contains(int piece) {
        return indexOf(piece) >= 0;
    }

    /** How many requests may be outstanding. */
    public int window() {
        return window;
    }

    /** Notes a request. There must be room, and the piece must not be among them. */
    public void add(int piece, long nowNanos) {
        checkState(hasRoom() && !contains(piece), "no place for piece %s", piece);
        if (size == pieces.length) {
            pieces = Arrays.copyOf(pieces, Math.min(window, 2 * size));
            askedNanos = Arrays.copyOf(askedNanos, pieces.length);
        }
        askedNanos[size] = nowNanos;
        pieces[size++] = piece;
    }

    /** Notes that a request was answered; returns whether it was outstanding. */
    public boolean remove(int piece) {
        int index = indexOf(piece);
        if (index < 0) {
            return false;
        }
        int behind = --size - index;
        System.arraycopy(pieces, index + 1, pieces, index, behind);
        System.arraycopy(askedNanos, index + 1, askedNanos, index, behind);
        return true;
    }

    /** A piece begins to come; when it began to leave, so many requests waited at the peer. */
    public void begun(int waiting) {
        estimator.begun(Math.max(1, size - waiting), waiting);
    }

    /**
     * Notes that the piece came, and adapts the window to the rate of answers. Done before the request is removed.
     *
     * @param smallestWindow the smallest value of it
     * @param largestWindow the largest value of it
     */
    public void adapt(int piece, long nowNanos, int smallestWindow, int largestWindow) {
        int index = indexOf(piece);
        if (index >= 0) {
            estimator.answered(askedNanos[index], nowNanos);
            window = (int) Math.max(smallestWindow, Math.min(largestWindow, estimator.window()));
        }
    }

    /** Whether answers come so far apart that a round trip between them hardly counts. */
    public boolean isSlow() {
        return estimator.isSlow();
    }

    /** Whether a request mostly waits for other pieces that cross the same line. */
    public boolean isCrowded() {
        return estimator.isCrowded();
    }

    /** How many requests cover the shortest answer, and a quarter more; 0 before the first answer. */
    public double covering() {
        return estimator.covering();
    }

    /** How long the last answers took, on average; 0 if none was noted. */
    public long answerNanos() {
        return estimator.answerNanos();
    }

    /** The pieces asked for, oldest first. */
    public int[] pieces() {
        return Arrays.copyOf(pieces, size);
    }

    /** Forgets all requests and returns their pieces, oldest first. */
    public int[] drain() {
        int[] drained = pieces();
        size = 0;
        return drained;
    }

    /** Forgets all requests, and remembers that the peer may still answer them; returns their pieces, oldest first. */
    public int[] cancelAll() {
        int[] drained = drain();
        for (int piece : drained) {
            cancelled = cancelled.with(piece);
        }
        return drained;
    }

    /** Forgets a request, and remembers that the peer may still answer it; returns whether it was outstanding. */
    public boolean cancel(int piece) {
        boolean wasOutstanding = remove(piece);
        if (wasOutstanding) {
            cancelled = cancelled.with(piece);
        }
        return wasOutstanding;
    }

    /**
     * Whether an answer for the piece belongs to no outstanding request, but to one that was cancelled over this connection. Any number of such
     * answers may come: a cancel may cross its answer, and the piece may have been requested and cancelled again meanwhile.
     */
    public boolean isAnswerToCancelled(int piece) {
        return !contains(piece) && cancelled.contains(piece);
    }

    void forgetCancelled() {
        cancelled = SmallPieceSet.NONE;
    }

    private int indexOf(int piece) {
        for (int i = 0; i < size; i++) {
            if (pieces[i] == piece) {
                return i;
            }
        }
        return -1;
    }
}
