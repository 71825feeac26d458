package org.robber.transport.manifest;

import java.util.Arrays;

/** Finds the entries of one manifest in another. Both are in depth-first order, so one walk through both is enough. */
public final class SameEntries {
    private SameEntries() {}

    /** For each entry of {@code from}, the entry of the same path and kind in {@code to}; -1 if there is none. */
    public static int[] find(Manifest from, Manifest to) {
        int[] found = ofPath(from, to);
        for (int here = 0; here < found.length; here++) {
            if (found[here] >= 0 && from.kind(here) != to.kind(found[here])) {
                found[here] = -1;
            }
        }
        return found;
    }

    /** For each entry of {@code from}, the entry of the same path in {@code to}, of whatever kind; -1 if there is none. */
    public static int[] ofPath(Manifest from, Manifest to) {
        int[] found = new int[from.entryCount()];
        Arrays.fill(found, -1);
        int there = 0;
        byte[] path = there < to.entryCount() ? to.path(there) : null;
        for (int here = 0; here < found.length && path != null; here++) {
            byte[] wanted = from.path(here);
            int order = compare(path, wanted);
            while (order < 0) {
                there++;
                if (there == to.entryCount()) {
                    return found;
                }
                path = to.path(there);
                order = compare(path, wanted);
            }
            if (order == 0) {
                found[here] = there;
            }
        }
        return found;
    }

    /** Compares paths in the order of manifests: a directory comes before what is in it, and that before the next name. */
    public static int compare(byte[] a, byte[] b) {
        int different = Arrays.mismatch(a, b);
        if (different < 0) {
            return 0;
        }
        return rank(a, different) - rank(b, different);
    }

    private static int rank(byte[] path, int at) {
        if (at == path.length) {
            return -1;
        }
        return path[at] == '/' ? 0 : path[at] & 0xff;
    }
}
