package org.robber.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import org.robber.cli.progress.PrefixedLines;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the standard error of a process on this machine, with a name before each line, from a thread of its own. */
public final class ErrorPump {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorPump.class);
    private static final int CHUNK_BYTES = 1 << 12;
    private static final long LAST_WORDS_MILLIS = 2000;

    private final PrefixedLines lines;
    private final Thread thread;

    private ErrorPump(String name, InputStream errors, StatusConsole console) {
        this.lines = new PrefixedLines(name, console, Charset.defaultCharset());
        this.thread = new Thread(() -> run(errors), name + "-err");
        thread.setDaemon(true);
    }

    /** Begins to show them. */
    public static ErrorPump start(String name, InputStream errors, StatusConsole console) {
        ErrorPump pump = new ErrorPump(name, errors, console);
        pump.thread.start();
        return pump;
    }

    /** The last line that was not blank, or empty; only once the process has ended. */
    public String lastWords() {
        try {
            awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lines.last();
    }

    /** Waits until all has been shown; only once the process has ended. */
    void awaitEnd() throws InterruptedException {
        // a process that this one has left behind may hold the pipe open
        thread.join(LAST_WORDS_MILLIS);
    }

    private void run(InputStream errors) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (errors) {
            for (int length = errors.read(chunk); length >= 0; length = errors.read(chunk)) {
                lines.add(chunk, length);
            }
        } catch (IOException e) {
            // closed when we ended the process: it has no more to say
            LOG.debug("end of the errors of {}", thread.getName(), e);
        } finally {
            lines.end();
        }
    }
}
