package org.robber.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The list of tests that may be skipped, each with what the environment must lack for that. A need is a shell command that
 * succeeds where the need is met.
 */
final class AllowedSkips {

    private static final long PROBE_SECONDS = 30;
    private static final int COLUMNS = 3;

    /** Whether the environment meets a need, told by its shell command. */
    @FunctionalInterface
    interface Probe {
        boolean succeeds(String command);
    }

    private final Map<String, String> commands = new TreeMap<>();
    private final Map<String, List<String>> needsOfTests = new TreeMap<>();

    /** Reads the list: lines {@code need NAME COMMAND} and {@code skip TEST NEED...}; others are comments or empty. */
    AllowedSkips(List<String> lines) {
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", COLUMNS);
            if (words[0].equals("need") && words.length == COLUMNS) {
                commands.put(words[1], words[2]);
            } else if (words[0].equals("skip") && words.length == COLUMNS) {
                needsOfTests.put(words[1], List.of(words[2].split("\\s+")));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new IllegalArgumentException("not a line of a list of allowed skips: " + line);
            }
        }
        needsOfTests.forEach((test, needs) -> needs.forEach(need -> {
            if (!commands.containsKey(need)) {
                throw new IllegalArgumentException(test + " has the need " + need + ", which no line explains");
            }
        }));
    }

    /** The list of this project. */
    static AllowedSkips ofProject() {
        try (InputStream in = Objects.requireNonNull(AllowedSkips.class.getResourceAsStream("allowed-skips.txt"))) {
            return new AllowedSkips(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tests of the list: classes, or methods as {@code Class.method}. */
    List<String> tests() {
        return List.copyOf(needsOfTests.keySet());
    }

    /** Returns why this test must not be skipped here, or an empty string if it may. */
    String objection(String simpleClassName, String method, Probe probe) {
        List<String> needs = new ArrayList<>(needsOfTests.getOrDefault(simpleClassName, List.of()));
        needs.addAll(needsOfTests.getOrDefault(simpleClassName + "." + method, List.of()));
        if (needs.isEmpty()) {
            return "the list of allowed skips does not name it";
        }
        for (String need : needs) {
            if (!probe.succeeds(commands.get(need))) {
                return "";
            }
        }
        return "this environment meets all its needs: " + String.join(", ", needs);
    }

    /** Runs a command in the shell of this system. */
    static boolean succeedsHere(String command) {
        try {
            Process process = new ProcessBuilder("sh", "-c", command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
