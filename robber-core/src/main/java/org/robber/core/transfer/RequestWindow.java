package org.robber.core.transfer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Arrays;

/**
 * The requests outstanding at one peer, at most as many as its limit allows. Windows are small (5 as published), so a
 * short array searched from its start beats any set.
 */
public final class RequestWindow {
    private static final int FIRST_LENGTH = 8;

    private final LinePace pace;
    private int limit;
    private int[] pieces;
    private long[] askedNanos;
    private int size;

    /**
     * An empty window.
     *
     * @param limit how many requests may be outstanding, at first or always; at least 1
     * @param pieceBytes size of every piece but the last
     */
    public RequestWindow(int limit, int pieceBytes) {
        checkArgument(limit >= 1, "limit: %s", limit);
        this.limit = limit;
        this.pace = new LinePace(pieceBytes);
        this.pieces = new int[Math.min(limit, FIRST_LENGTH)];
        this.askedNanos = new long[pieces.length];
    }

    /** How many requests are outstanding. */
    public int size() {
        return size;
    }

    /** Whether one more request may be made. */
    public boolean hasRoom() {
        return size < limit;
    }

    /** Whether this piece is outstanding. */
    public boolean contains(int piece) {
        return indexOf(piece) >= 0;
    }

    /** How many requests may be outstanding. */
    public int limit() {
        return limit;
    }

    /** Notes a request. The window must have room and not contain the piece. */
    void add(int piece, long nowNanos) {
        checkState(hasRoom() && !contains(piece), "no place for piece %s", piece);
        if (size == pieces.length) {
            pieces = Arrays.copyOf(pieces, Math.min(limit, 2 * size));
            askedNanos = Arrays.copyOf(askedNanos, pieces.length);
        }
        askedNanos[size] = nowNanos;
        pieces[size++] = piece;
    }

    /** Notes that a request was answered; returns whether it was outstanding. */
    boolean remove(int piece) {
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
    void begun(int waiting) {
        pace.begun(Math.max(1, size - waiting));
    }

    /**
     * Notes that the piece came, and lets the limit follow the pace of the line. Done before the request is removed.
     *
     * @param smallestLimit what the limit is at least
     * @param largestLimit what the limit may be at most, whatever the line could carry
     */
    void pace(int piece, long nowNanos, int smallestLimit, int largestLimit) {
        int index = indexOf(piece);
        if (index >= 0) {
            pace.answered(askedNanos[index], nowNanos);
            limit = (int) Math.max(smallestLimit, Math.min(largestLimit, pace.requests()));
        }
    }

    /** Whether answers come so far apart that a round trip between them hardly counts. */
    boolean isSluggish() {
        return pace.isSluggish();
    }

    /** How long the last answers took, on average; 0 if none was noted. */
    long answerNanos() {
        return pace.answerNanos();
    }

    /** The pieces asked for, oldest first. */
    int[] pieces() {
        return Arrays.copyOf(pieces, size);
    }

    /** Forgets all requests and returns their pieces, oldest first. */
    int[] drain() {
        int[] drained = pieces();
        size = 0;
        return drained;
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
