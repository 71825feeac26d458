package org.robber.emulation.testbed.wan;

import java.nio.charset.StandardCharsets;

/** Cuts bytes into lines; of a line that is too long, only the beginning is kept. */
final class LineBuffer {

    private final byte[] line;
    private int length;

    LineBuffer(int maxBytes) {
        line = new byte[maxBytes];
    }

    /** Adds a byte; true if it ends a line, which {@link #line()} then gives. */
    boolean add(byte value) {
        if (value == '\n') {
            return true;
        }
        if (length < line.length) {
            line[length++] = value;
        }
        return false;
    }

    /** The line that has ended; the next one begins. */
    String line() {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        length = 0;
        return text;
    }
}
