package org.robber.cli.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A text with rsync's wildcards: {@code *} for bytes but slashes, {@code **} for any bytes, {@code ?} for a byte but a slash, {@code [a-z]} and
 * {@code [!a-z]} for one of several bytes, and a backslash before a byte that stands for itself. All states of a match are followed
 * at once, so no pattern takes more time than its length times that of the path.
 */
final class Wildcards {

    private static final int BYTES = 256;

    /** One step of the pattern: the bytes that it takes, and whether it takes any number of them. */
    private record Step(BitSet bytes, boolean repeats) {}

    private final List<Step> steps = new ArrayList<>();

    /** @throws IllegalArgumentException if a bracket is not closed, or nothing follows a backslash */
    Wildcards(byte[] pattern) {
        int at = 0;
        while (at < pattern.length) {
            switch (pattern[at]) {
                case '*' -> {
                    int end = at;
                    while (end < pattern.length && pattern[end] == '*') {
                        end++;
                    }
                    steps.add(new Step(end - at > 1 ? any() : anyButSlash(), true));
                    at = end;
                }
                case '?' -> {
                    steps.add(new Step(anyButSlash(), false));
                    at++;
                }
                case '[' -> at = addSet(pattern, at + 1);
                case '\\' -> {
                    if (at + 1 == pattern.length) {
                        throw new IllegalArgumentException("nothing follows the backslash at its end");
                    }
                    steps.add(new Step(only(pattern[at + 1]), false));
                    at += 2;
                }
                default -> {
                    steps.add(new Step(only(pattern[at]), false));
                    at++;
                }
            }
        }
    }

    /** Adds the bytes of a bracket, of which the first is at this place; returns the place behind it. */
    private int addSet(byte[] pattern, int start) {
        BitSet bytes = new BitSet(BYTES);
        int at = start;
        boolean inverted = at < pattern.length && (pattern[at] == '!' || pattern[at] == '^');
        at += inverted ? 1 : 0;
        int first = at;
        while (at < pattern.length && (pattern[at] != ']' || at == first)) {
            at += pattern[at] == '\\' && at + 1 < pattern.length ? 1 : 0;
            int low = pattern[at] & 0xff;
            int high = low;
            if (at + 2 < pattern.length && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
                at += 2;
                at += pattern[at] == '\\' && at + 1 < pattern.length ? 1 : 0;
                high = pattern[at] & 0xff;
            }
            if (low <= high) {
                bytes.set(low, high + 1);
            }
            at++;
        }
        if (at >= pattern.length) {
            throw new IllegalArgumentException("a [ has no ]; write \\[ for the character itself");
        }
        if (inverted) {
            bytes.flip(0, BYTES);
        }
        bytes.clear('/');
        steps.add(new Step(bytes, false));
        return at + 1;
    }

    private static BitSet only(byte one) {
        BitSet bytes = new BitSet(BYTES);
        bytes.set(one & 0xff);
        return bytes;
    }

    private static BitSet any() {
        BitSet bytes = new BitSet(BYTES);
        bytes.set(0, BYTES);
        return bytes;
    }

    private static BitSet anyButSlash() {
        BitSet bytes = any();
        bytes.clear('/');
        return bytes;
    }

    /** Whether the text from this place to its end is what the pattern describes. */
    boolean matches(byte[] text, int start) {
        BitSet reached = new BitSet(steps.size() + 1);
        reach(reached, 0);
        for (int at = start; at < text.length && !reached.isEmpty(); at++) {
            BitSet next = new BitSet(steps.size() + 1);
            for (int step = reached.nextSetBit(0); step >= 0; step = reached.nextSetBit(step + 1)) {
                if (step < steps.size() && steps.get(step).bytes.get(text[at] & 0xff)) {
                    reach(next, steps.get(step).repeats ? step : step + 1);
                }
            }
            reached = next;
        }
        return reached.get(steps.size());
    }

    /** Adds a step, and those behind it that are reached without a byte. */
    private void reach(BitSet reached, int step) {
        int at = step;
        reached.set(at);
        while (at < steps.size() && steps.get(at).repeats) {
            reached.set(++at);
        }
    }
}
