package org.robber.cli.progress;

import com.google.common.base.CharMatcher;

/** Texts as they are shown. Peers and other hosts have a part in them, and terminals obey control characters. */
public final class TerminalText {
    private static final CharMatcher UNSAFE = CharMatcher.javaIsoControl().and(CharMatcher.noneOf("\n\t"));

    private TerminalText() {}

    /** The text with question marks in place of control characters, but for tabs and ends of lines. */
    public static String of(String text) {
        return UNSAFE.replaceFrom(text, '?');
    }
}
