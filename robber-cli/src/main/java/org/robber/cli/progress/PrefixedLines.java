package org.robber.cli.progress;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;

/** Shows bytes as lines of bounded length, with a name before each. One thread adds bytes; any thread asks for the last line. */
public final class PrefixedLines {
    private static final int LONGEST_LINE = 8192;

    private final String name;
    private final StatusConsole console;
    private final Charset charset;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile String last = "";

    /** Shows them there. */
    public PrefixedLines(String name, StatusConsole console, Charset charset) {
        this.name = name;
        this.console = console;
        this.charset = charset;
    }

    /** Shows the lines that these bytes end. */
    public void add(byte[] bytes) {
        add(bytes, bytes.length);
    }

    /** Shows the lines that the first of these bytes end. */
    public void add(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            byte one = bytes[i];
            if (one == '\n' || line.size() >= LONGEST_LINE) {
                end();
            }
            if (one != '\n') {
                line.write(one);
            }
        }
    }

    /** Shows what is left of a line without an end. */
    public void end() {
        String text = line.toString(charset).stripTrailing();
        line.reset();
        if (!text.isBlank()) {
            last = text.strip();
            console.line(name + ": " + text);
        }
    }

    /** The last line that was not blank; empty if there was none. */
    public String last() {
        return last;
    }
}
