package org.robber.emulation.testbed.program;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** The end of a text, in whole lines. Endless output takes no more memory than this. Thread-safe. */
final class LineTail {

    private static final int MOST_CHARACTERS = 64 << 10;
    private static final int LONGEST_LINE = 4 << 10;

    private final Deque<String> lines = new ArrayDeque<>();
    private int characters;

    /** Reads to the end; every line, the rest of it cut off if it is very long, goes to the listener as well. */
    void read(Reader text, Consumer<String> listener) throws IOException {
        char[] chunk = new char[LONGEST_LINE];
        StringBuilder line = new StringBuilder();
        for (int count = text.read(chunk); count >= 0; count = text.read(chunk)) {
            for (int i = 0; i < count; i++) {
                if (chunk[i] == '\n') {
                    end(line, listener);
                } else if (line.length() < LONGEST_LINE) {
                    line.append(chunk[i]);
                }
            }
        }
        if (line.length() > 0) {
            end(line, listener);
        }
    }

    private void end(StringBuilder line, Consumer<String> listener) {
        String whole = line.toString();
        line.setLength(0);
        add(whole);
        listener.accept(whole);
    }

    private synchronized void add(String line) {
        lines.addLast(line);
        characters += line.length() + 1;
        while (characters > MOST_CHARACTERS) {
            characters -= lines.removeFirst().length() + 1;
        }
    }

    /** The lines that were kept, each with its line break. */
    synchronized String text() {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }
}
