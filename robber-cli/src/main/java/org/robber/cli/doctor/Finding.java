package org.robber.cli.doctor;

import java.util.Locale;

/**
 * The result of one check.
 *
 * @param check its name, such as {@code tcp-receive-buffer}
 * @param found what this machine has, in words
 * @param cost what that costs a transfer; empty if nothing
 * @param cure what to do about it, a command where one does it; empty if nothing
 */
public record Finding(String check, Verdict verdict, String found, String cost, String cure) {

    /** What a check says of a transfer. */
    public enum Verdict {
        /** Nothing is in the way. */
        GOOD,
        /** Some transfers would gain, such as those over lines that lose packets. */
        ADVICE,
        /** The transfer is slower than its line, or fails. */
        HOLDS_BACK,
        /** The machine does not tell. */
        UNKNOWN;

        /** For people: {@code holds back}. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** For programs: {@code holds_back}. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding good(String check, String found) {
        return new Finding(check, Verdict.GOOD, found, "", "");
    }

    static Finding unknown(String check, String found) {
        return new Finding(check, Verdict.UNKNOWN, found, "", "");
    }

    static Finding advice(String check, String found, String cost, String cure) {
        return new Finding(check, Verdict.ADVICE, found, cost, cure);
    }

    static Finding holdsBack(String check, String found, String cost, String cure) {
        return new Finding(check, Verdict.HOLDS_BACK, found, cost, cure);
    }
}
