package org.robber.cli.progress;

import com.google.common.base.CharMatcher;

/** Texts as they are shown. Peers and other hosts have a part in them, and terminals obey control characters. */
public final class TerminalText {
    private static final CharMatcher CONTROL = CharMatcher.javaIsoControl();

    private TerminalText() {}

    /**
     * The text with escapes in place of control characters, but for tabs and ends of lines. JSON stays the same JSON: it has others within
     * strings alone, and these are its escapes.
     */
    public static String of(String text) {
        return escaped(text, "\n\t");
    }

    /** The same on one line: what a peer tells never looks like a line of this process. */
    static String line(String text) {
        return escaped(text, "\t");
    }

    private static String escaped(String text, String kept) {
        if (CONTROL.matchesNoneOf(text)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (!CONTROL.matches(one) || kept.indexOf(one) >= 0) {
                shown.append(one);
            } else if (one == '\n') {
                shown.append("\\n");
            } else {
                shown.append(String.format("\\u%04x", (int) one));
            }
        }
        return shown.toString();
    }
}
