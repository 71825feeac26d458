package org.robber.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes on the lines that a process prints, from a thread of its own. */
final class OutputPump {

    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);
    private static final long SILENCE_MILLIS = 1000;

    private final Consumer<String> target;
    private final Thread thread;
    private final AtomicLong passedLines = new AtomicLong();
    private volatile boolean passing;

    private OutputPump(String name, InputStream input, Consumer<String> target) {
        this.target = target;
        this.thread = new Thread(() -> run(input), name);
        thread.setDaemon(true);
    }

    static OutputPump start(String name, InputStream input, Consumer<String> target) {
        OutputPump pump = new OutputPump(name, input, target);
        pump.thread.start();
        return pump;
    }

    /** Waits until all has been passed on, however slowly the target takes it; only once the process has ended. */
    void awaitEnd() throws InterruptedException {
        long before;
        do {
            before = passedLines.get();
            // a process that this one started may hold the pipe open for longer, and say nothing
            thread.join(SILENCE_MILLIS);
        } while (thread.isAlive() && (passing || passedLines.get() != before));
    }

    private void run(InputStream input) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            lines.lines().forEach(this::pass);
        } catch (IOException | UncheckedIOException e) {
            // closed when we ended the process: it has no more to say
            LOG.debug("end of the output of {}", thread.getName(), e);
        }
    }

    private void pass(String line) {
        passing = true;
        target.accept(line);
        passedLines.incrementAndGet();
        passing = false;
    }
}
