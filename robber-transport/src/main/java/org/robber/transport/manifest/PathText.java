package org.robber.transport.manifest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Converts names of files to text for messages. */
public final class PathText {

    private PathText() {}

    /**
     * The bytes of a path as text on one line: UTF-8 as it is, control characters and bytes that aren't UTF-8 as {@code
     * \ooo} in octal.
     */
    public static String of(byte[] path) {
        StringBuilder text = new StringBuilder(path.length);
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(path))
                    .toString();
        } catch (CharacterCodingException e) {
            for (byte b : path) {
                if (b >= ' ' && b < 0x7f) {
                    text.append((char) b);
                } else {
                    escape(b & 0xff, text);
                }
            }
            return text.toString();
        }
        for (int i = 0; i < decoded.length(); i++) {
            char c = decoded.charAt(i);
            if (c < ' ' || c == 0x7f) {
                escape(c, text);
            } else if (Character.isISOControl(c)) {
                escape(0xc2, text);
                escape(c, text);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static void escape(int value, StringBuilder text) {
        text.append('\\')
                .append((char) ('0' + (value >> 6)))
                .append((char) ('0' + (value >> 3 & 7)))
                .append((char) ('0' + (value & 7)));
    }
}
