package org.robber.emulation.simulator.network;

/** Pieces that wait to be sent, in the order in which they were asked for. */
final class PieceQueue {
    private static final int[] NONE = {};

    private int[] ring = NONE;
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(int piece) {
        if (size == ring.length) {
            int[] larger = new int[Math.max(4, 2 * size)];
            for (int i = 0; i < size; i++) {
                larger[i] = ring[(head + i) % ring.length];
            }
            ring = larger;
            head = 0;
        }
        ring[(head + size++) % ring.length] = piece;
    }

    int remove() {
        int piece = ring[head];
        head = (head + 1) % ring.length;
        size--;
        return piece;
    }

    /** Takes one piece out of the middle; returns whether it was there. */
    boolean remove(int piece) {
        for (int i = 0; i < size; i++) {
            if (ring[(head + i) % ring.length] == piece) {
                for (int j = i; j < size - 1; j++) {
                    ring[(head + j) % ring.length] = ring[(head + j + 1) % ring.length];
                }
                size--;
                return true;
            }
        }
        return false;
    }

    void clear() {
        size = 0;
    }
}
