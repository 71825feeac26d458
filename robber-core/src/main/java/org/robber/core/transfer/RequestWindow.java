package org.robber.core.transfer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Arrays;

/**
 * The requests outstanding at one peer, at most a fixed number. Windows are small (5 as published), so a short array
 * searched from its start beats any set.
 */
public final class RequestWindow {
    private static final int FIRST_LENGTH = 8;

    private final int limit;
    private int[] pieces;
    private int size;

    /** An empty window for at most {@code limit} requests, at least 1. */
    public RequestWindow(int limit) {
        checkArgument(limit >= 1, "limit: %s", limit);
        this.limit = limit;
        this.pieces = new int[Math.min(limit, FIRST_LENGTH)];
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

    /** Notes a request. The window must have room and not contain the piece. */
    void add(int piece) {
        checkState(hasRoom() && !contains(piece), "no place for piece %s", piece);
        if (size == pieces.length) {
            pieces = Arrays.copyOf(pieces, Math.min(limit, 2 * size));
        }
        pieces[size++] = piece;
    }

    /** Notes that a request was answered; returns whether it was outstanding. */
    boolean remove(int piece) {
        int index = indexOf(piece);
        if (index < 0) {
            return false;
        }
        System.arraycopy(pieces, index + 1, pieces, index, --size - index);
        return true;
    }

    /** Forgets all requests and returns their pieces, oldest first. */
    int[] drain() {
        int[] drained = Arrays.copyOf(pieces, size);
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
