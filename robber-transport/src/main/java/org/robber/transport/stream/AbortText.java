package org.robber.transport.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Why the root of a stream has aborted it: a text that follows a mark, in the place of a chunk that follows its length. */
final class AbortText {
    private static final int MOST_CHARS = 1000;

    private AbortText() {}

    static byte[] toBytes(String why) {
        return why.substring(0, Math.min(why.length(), MOST_CHARS)).getBytes(UTF_8);
    }

    /** The mark of this text. It is negative, as no length of a chunk is. */
    static int mark(byte[] text) {
        return -1 - text.length;
    }

    static boolean isMark(int length) {
        return length < 0;
    }

    /** Room for the text behind a mark. */
    static byte[] roomFor(int mark) {
        return new byte[-1 - mark];
    }

    static String of(byte[] text) {
        return new String(text, UTF_8);
    }
}
