package org.robber.bench.loopback;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program that runs another and counts the system calls of all its threads, from its start to its end. */
enum SystemCallCounter {
    /** Costs next to nothing, but needs the rights to count what the kernel does. */
    PERF(
            "perf stat -x , -e raw_syscalls:sys_enter -o",
            Pattern.compile("^([0-9]+),[^,]*,raw_syscalls:sys_enter(,|$)", Pattern.MULTILINE)),

    /** Stops the program twice at each call. */
    STRACE(
            "strace -f -c -o",
            // Columns have widths, and some are empty.
            Pattern.compile("^100\\.00 [ 0-9.]{11} [ 0-9]{11} +([0-9]+) [ 0-9]{9} total$", Pattern.MULTILINE));

    private static final long PROBE_LIMIT_SECONDS = 10;

    private final String command;
    private final Pattern count;

    SystemCallCounter(String command, Pattern count) {
        this.command = command;
        this.count = count;
    }

    /**
     * The first that can count on this machine, or null.
     *
     * @param scratch an existing folder
     */
    static @Nullable SystemCallCounter find(Path scratch) throws IOException {
        for (SystemCallCounter counter : values()) {
            if (counter.counts(scratch.resolve("probe-" + counter.label()))) {
                return counter;
            }
        }
        return null;
    }

    private boolean counts(Path result) throws IOException {
        ProcessBuilder probe = new ProcessBuilder(prefix(result))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        probe.command().add("true");
        Process process;
        try {
            process = probe.start();
        } catch (IOException e) {
            // There is no such program here.
            return false;
        }
        try {
            return process.waitFor(PROBE_LIMIT_SECONDS, TimeUnit.SECONDS)
                    && process.exitValue() == 0
                    && parse(Files.readString(result)) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IllegalArgumentException e) {
            // It ran, and may not count.
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    /** The name of the program. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The words in front of a command whose calls are to be counted in this file. The list may be changed. */
    List<String> prefix(Path result) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.add(result.toString());
        return words;
    }

    /**
     * The number of calls.
     *
     * @param text what the program has written to its file
     * @throws IllegalArgumentException if it tells none
     */
    long parse(String text) {
        Matcher matcher = count.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException(label() + " tells no number of system calls: " + text.strip());
        }
        return Long.parseLong(matcher.group(1));
    }
}
