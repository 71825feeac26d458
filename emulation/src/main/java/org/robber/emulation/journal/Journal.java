package org.robber.emulation.journal;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/**
 * The finished runs of an experiment, in a file. When {@link #append} has returned, the run survives a crash of the process and of
 * the machine; the next open cuts off an incomplete last line. One process at a time can open it. Runs of more scenarios,
 * strategies and seeds may be added under the same conditions. Thread-safe.
 */
public final class Journal implements AutoCloseable {

    private final FileChannel channel;
    private final Conditions conditions;
    private final Map<Key, RunResult> runs;

    /** Identifies a run. */
    private record Key(String scenario, String strategy, long seed) {
        static Key of(RunResult run) {
            return new Key(run.scenario().name(), run.strategy(), run.seed());
        }
    }

    private Journal(FileChannel channel, Conditions conditions, Map<Key, RunResult> runs) {
        this.channel = channel;
        this.conditions = conditions;
        this.runs = runs;
    }

    /**
     * Begins or continues a journal.
     *
     * @param file may be there
     * @param anew whether to discard its runs
     * @param now the start time of a new experiment
     * @param settings names and values that must be the same for all runs
     * @param scenarios scenarios of the planned runs
     * @throws JournalException if it holds runs with other conditions, is not a journal, or is open elsewhere
     * @throws IOException if it cannot be read or written
     */
    public static Journal open(
            Path file, boolean anew, Instant now, Map<String, String> settings, List<Scenario> scenarios)
            throws IOException, JournalException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock(file, channel);
            Conditions today = Conditions.of(now, settings, scenarios);
            if (anew) {
                channel.truncate(0);
            }
            List<String> lines = completeLines(channel);
            return lines.isEmpty() ? begin(channel, today) : resume(file, channel, lines, today, scenarios);
        } catch (IOException | JournalException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(Path file, FileChannel channel) throws IOException, JournalException {
        try {
            if (channel.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(file, e);
        }
        throw inUse(file, null);
    }

    private static JournalException inUse(Path file, @Nullable Throwable cause) {
        String message = file + " is being written by another process";
        return cause == null ? new JournalException(message) : new JournalException(message, cause);
    }

    /**
     * All complete lines; an incomplete last one is cut off. They are read through the channel: a process that closes any other
     * stream of the same file loses its lock.
     */
    private static List<String> completeLines(FileChannel channel) throws IOException {
        byte[] bytes = Channels.newInputStream(channel.position(0)).readAllBytes();
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        channel.truncate(end);
        channel.position(end);
        return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    }

    private static Journal begin(FileChannel channel, Conditions today) throws IOException {
        write(channel, JournalLines.begin(today));
        return new Journal(channel, today, new LinkedHashMap<>());
    }

    private static Journal resume(
            Path file, FileChannel channel, List<String> lines, Conditions today, List<Scenario> scenarios)
            throws IOException, JournalException {
        ImmutableMap<String, Scenario> byName = Maps.uniqueIndex(scenarios, Scenario::name);
        Map<Key, RunResult> runs = new LinkedHashMap<>();
        @Nullable Conditions before = null;
        for (int i = 0; i < lines.size(); i++) {
            try {
                JournalLine line = JournalLine.parse(lines.get(i));
                before = before == null ? first(file, line, today) : later(line, before, byName, runs);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new JournalException(
                        file + " is damaged, or is no journal: line " + (i + 1) + ": " + e.getMessage(), e);
            }
            String differences = before.differences(today);
            if (!differences.isEmpty()) {
                throw new JournalException(file + " holds another comparison: " + differences);
            }
        }
        Conditions known = before == null ? today : before;
        ImmutableMap<String, String> added =
                Maps.difference(today.scenarios(), known.scenarios()).entriesOnlyOnLeft().entrySet().stream()
                        .collect(ImmutableMap.toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
        if (!added.isEmpty()) {
            write(channel, JournalLines.scenarios(added));
        }
        return new Journal(channel, known.with(added), runs);
    }

    private static Conditions first(Path file, JournalLine line, Conditions today) throws JournalException {
        if (!line.text("type").equals(JournalLines.BEGIN)) {
            throw new IllegalArgumentException("no beginning");
        }
        if (line.number("schema") != JournalLines.SCHEMA) {
            throw new JournalException(file + " holds another comparison: it has the format "
                    + line.number("schema") + " of another version of Robber than "
                    + today.settings().getOrDefault("version", "this one"));
        }
        return JournalLines.parseBegin(line);
    }

    private static Conditions later(
            JournalLine line, Conditions before, ImmutableMap<String, Scenario> scenarios, Map<Key, RunResult> runs) {
        switch (line.text("type")) {
            case JournalLines.SCENARIOS -> {
                return before.with(line.texts(JournalLines.SCENARIOS));
            }
            case JournalLines.RUN -> {
                String name = line.text("scenario");
                @Nullable Scenario scenario = scenarios.get(name);
                // runs of other scenarios stay in the file
                if (scenario != null && before.scenarios().get(name) != null) {
                    RunResult run = JournalLines.parseRun(line, scenario);
                    runs.put(Key.of(run), run);
                }
                return before;
            }
            default -> throw new IllegalArgumentException("unknown type: " + line.text("type"));
        }
    }

    /** Writes a whole line or nothing: the next line must not follow half of one. */
    private static void write(FileChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        long begin = channel.position();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException e) {
            try {
                channel.truncate(begin);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /** When the first of its runs began. */
    public Instant begun() {
        return conditions.begun();
    }

    /** The result of a run, if it is recorded. */
    public synchronized Optional<RunResult> find(RunPlan plan) {
        return Optional.ofNullable(runs.get(new Key(plan.scenario().name(), plan.strategy(), plan.seed())));
    }

    /**
     * Records a finished run.
     *
     * @throws IOException if it cannot be written
     */
    public synchronized void append(RunResult run) throws IOException {
        write(channel, JournalLines.run(run));
        runs.put(Key.of(run), run);
    }

    /** Releases the file. */
    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
