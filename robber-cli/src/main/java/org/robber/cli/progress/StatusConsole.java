package org.robber.cli.progress;

import java.io.PrintStream;

/**
 * Standard error, shared by lines that stay and one status line that is drawn over again and again. Thread-safe.
 */
public final class StatusConsole {

    private static final StatusConsole STANDARD_ERROR = new StatusConsole(System.err);

    private final PrintStream out;
    private String status = "";

    /** Draws on this stream. */
    public StatusConsole(PrintStream out) {
        this.out = out;
    }

    /** The one of this process. */
    public static StatusConsole standardError() {
        return STANDARD_ERROR;
    }

    /** Prints these lines, with no other between them. */
    public synchronized void lines(Iterable<String> texts) {
        texts.forEach(this::line);
    }

    /** Prints a line that stays, above the status line if there is one. */
    public synchronized void line(String text) {
        String line = TerminalText.line(text) + "\n";
        out.print(status.isEmpty() ? line : "\r\u001b[K" + line + status);
        out.flush();
    }

    /** Draws the status line in place of the one before; only for terminals. */
    public synchronized void status(String text) {
        status = TerminalText.line(text);
        out.print("\r\u001b[K" + status);
        out.flush();
    }

    /** Takes the status line away, for what goes to the terminal by another stream. */
    public synchronized void eraseStatus() {
        if (!status.isEmpty()) {
            out.print("\r\u001b[K");
            out.flush();
            status = "";
        }
    }

    /** Leaves the status line as it stands and goes to the next line. */
    public synchronized void endStatus() {
        if (!status.isEmpty()) {
            out.print("\n");
            out.flush();
            status = "";
        }
    }
}
