package org.robber.cli.remote;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.robber.cli.progress.StatusConsole;

/** Shows bytes as lines, with the host before each. One thread adds bytes; any thread asks for the last line. */
final class PrefixedLines {
    private static final int LONGEST_LINE = 8192;

    private final String host;
    private final StatusConsole console;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile String last = "";

    PrefixedLines(String host, StatusConsole console) {
        this.host = host;
        this.console = console;
    }

    /** Shows the lines that these bytes end. */
    void add(byte[] bytes) {
        for (byte one : bytes) {
            if (one == '\n' || line.size() >= LONGEST_LINE) {
                end();
            }
            if (one != '\n') {
                line.write(one);
            }
        }
    }

    /** Shows what is left of a line without an end. */
    void end() {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        if (!text.isBlank()) {
            last = text.strip();
            console.line(host + ": " + text);
        }
    }

    /** The last line that was not blank; empty if there was none. */
    String last() {
        return last;
    }
}
