package org.robber.bench.loopback;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.bench.ProcessMeter;
import org.robber.bench.Program;

/**
 * Compares Robber with plain socket copies over loopback: every run in fresh processes, the first transfer of each, with
 * all contenders in turn. Run it by {@code robber-bench/bin/loopback}; {@code docs/benchmarks.md} says what the figures mean.
 */
public final class Loopback {
    private static final long PROCESS_BYTES = 128L << 20;
    private static final long LITTLE_BYTES = 1000;

    /** Linux's name of the file system behind {@code /dev/shm}. */
    private static final String FILES_IN_MEMORY = "tmpfs";

    private final LoopbackOptions options;
    private final PrintStream results;
    private final PrintStream progress;

    /**
     * @param results gets the report
     * @param progress gets a line for each run
     */
    Loopback(LoopbackOptions options, PrintStream results, PrintStream progress) {
        this.options = options;
        this.results = results;
        this.progress = progress;
    }

    /** Measures; exit code 0 whether goals are met or not, 1 if a run failed, 2 if the options are wrong. */
    public static void main(String[] args) {
        System.exit(Program.execute(new LoopbackOptions(), args));
    }

    /** Runs all cases and reports each when it is done. */
    List<CaseResult> run() throws IOException {
        for (LoopbackCase one : options.cases()) {
            checkFits(one);
        }
        try (ClassArchive archive = ClassArchive.make(options)) {
            return run(archive.jvmFlags());
        }
    }

    private List<CaseResult> run(List<String> jvmFlags) throws IOException {
        SystemCallCounter counter = options.systemCalls() ? findCounter() : null;
        Map<String, Object> machine = machine(jvmFlags);
        machine.put("system_calls", counter == null ? "not counted" : "by " + counter.label());
        results.print(TextReport.ofMachine(machine));
        List<CaseResult> all = new ArrayList<>();
        for (LoopbackCase one : options.cases()) {
            CaseResult result = run(one, jvmFlags, counter);
            all.add(result);
            results.print(TextReport.of(result, options.runs()));
            results.flush();
        }
        Path json = options.json();
        if (json != null) {
            Files.writeString(json, JsonReport.of(options, machine, all));
        }
        return all;
    }

    private @Nullable SystemCallCounter findCounter() throws IOException {
        try (ScratchFolder folder = new ScratchFolder(options.directory())) {
            SystemCallCounter found = SystemCallCounter.find(folder.path());
            if (found == null) {
                progress.println("system calls are left out: neither perf nor strace can count them here");
            }
            return found;
        }
    }

    private CaseResult run(LoopbackCase one, List<String> jvmFlags, @Nullable SystemCallCounter counter)
            throws IOException {
        Map<Contender, List<RunFigures>> runs = new EnumMap<>(Contender.class);
        try (ScratchFolder folder = new ScratchFolder(options.directory())) {
            Path source = folder.file("data");
            ContenderRunner runner =
                    new ContenderRunner(options, one, source, TestData.writeTo(source, one.sizeBytes()), jvmFlags);
            for (int run = 1; run <= options.runs(); run++) {
                for (Contender contender : options.contenders()) {
                    RunFigures figures = runner.run(contender);
                    runs.computeIfAbsent(contender, key -> new ArrayList<>()).add(figures);
                    progress.printf(
                            "%s run %d/%d %-14s %8.3f s%n",
                            one, run, options.runs(), contender.label(), figures.seconds());
                }
            }
            return new CaseResult(
                    one, runs, counter == null ? Map.of() : systemCalls(one, folder, runner, jvmFlags, counter));
        }
    }

    /** Runs all once more as they are, and with next to no data: a start and an end make system calls, too. */
    private Map<Contender, Double> systemCalls(
            LoopbackCase one,
            ScratchFolder folder,
            ContenderRunner whole,
            List<String> jvmFlags,
            SystemCallCounter counter)
            throws IOException {
        LoopbackCase little = new LoopbackCase(one.receivers(), LITTLE_BYTES);
        Path source = folder.file("little");
        long checksum = TestData.writeTo(source, little.sizeBytes());
        ContenderRunner start = new ContenderRunner(options, little, source, checksum, jvmFlags);
        int pieceBytes = options.channel().pieceBytes();
        long pieces = one.deliveredPieces(pieceBytes) - little.deliveredPieces(pieceBytes);
        Map<Contender, Double> perPiece = new EnumMap<>(Contender.class);
        for (Contender contender : options.contenders()) {
            long calls = whole.systemCalls(contender, counter) - start.systemCalls(contender, counter);
            perPiece.put(contender, (double) calls / pieces);
        }
        return perPiece;
    }

    /** Data in memory that does not fit is paged out, or kills processes: either way no figure is worth anything. */
    private void checkFits(LoopbackCase one) throws IOException {
        FileStore store = Files.getFileStore(options.directory());
        long freeBytes = freeMemoryBytes();
        long spaceBytes = store.getUsableSpace();
        for (Contender contender : options.contenders()) {
            // Doubles, since the product may exceed a long.
            double fileBytes = (double) one.sizeBytes() * (1 + (contender.place() == Place.FILE ? one.receivers() : 0));
            double memoryBytes = (double) one.processes()
                            * (PROCESS_BYTES + (contender.place() == Place.BUFFER ? one.sizeBytes() : 0))
                    + (store.type().equals(FILES_IN_MEMORY) ? fileBytes : 0);
            if (memoryBytes > freeBytes || fileBytes > spaceBytes) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "case %s needs %.0f MiB of memory and %.0f MiB in %s for %s; there are %d and %d",
                        one,
                        memoryBytes / (1 << 20),
                        fileBytes / (1 << 20),
                        options.directory(),
                        contender.label(),
                        freeBytes >> 20,
                        spaceBytes >> 20));
            }
        }
    }

    private static long freeMemoryBytes() throws IOException {
        return ProcessMeter.kernelBytes(Path.of("/proc/meminfo"), "MemAvailable")
                .orElse(Long.MAX_VALUE);
    }

    private static Map<String, Object> machine(List<String> jvmFlags) {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("processors", Runtime.getRuntime().availableProcessors());
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("arch", System.getProperty("os.arch"));
        machine.put("java", System.getProperty("java.vm.version"));
        machine.put("flags", String.join(" ", jvmFlags));
        return machine;
    }
}
