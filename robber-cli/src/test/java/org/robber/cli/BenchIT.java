package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.emulation.report.CsvResults;
import org.robber.emulation.report.CsvSummaries;

/** Experiments that were interrupted continue where their journal ends. By the older name of the command and its options. */
@Execution(ExecutionMode.CONCURRENT)
class BenchIT {

    private static final Path SCENARIOS =
            Path.of("").toAbsolutePath().getParent().resolve("emulation/scenarios");

    /** So many take minutes, and the signal comes after the first few. */
    private static final String ENDLESS = "--seeds=20000";

    @TempDir
    Path folder;

    @Test
    void whatWasKilledGoesOnAndGivesWhatItWouldHaveGivenUndisturbed() throws Exception {
        try (Launched killed = bench(ENDLESS, "--report=killed", "--progress=json")) {
            awaitRun(killed, 3);
            Launched.signal("KILL", killed.processId());
            assertThat(killed.exitCode()).isEqualTo(128 + 9);
        }
        assertThat(folder.resolve("killed/results.csv"))
                .as("there was no time for it")
                .doesNotExist();

        try (Launched continued = bench("--seeds=2", "--report=killed", "--run-deadline=2x")) {
            assertThat(continued.exitCode()).as(continued.err()).isZero();
            assertThat(continued.err())
                    .containsPattern("continuing: [34] of 4 runs are done")
                    .contains("the report is in killed");
            assertThat(continued.out()).contains("SCENARIO", "S %", "G MB/S", "N %", "sc05_fig2", "robber", "mob");
        }
        try (Launched undisturbed = bench("--seeds=2", "--report=undisturbed", "--deadline=2x", "-o", "json")) {
            assertThat(undisturbed.exitCode()).as(undisturbed.err()).isZero();
            assertThat(undisturbed.err()).doesNotContain("continuing");
            EmulateIT.assertValid(undisturbed.out());
        }
        for (String name : new String[] {"results.csv", "summary.csv"}) {
            assertThat(folder.resolve("killed").resolve(name))
                    .hasSameTextualContentAs(folder.resolve("undisturbed").resolve(name));
        }
        assertThat(Files.readAllLines(folder.resolve("killed/results.csv")))
                .hasSize(1 + 4)
                .startsWith(String.join(",", CsvResults.columns()));
        assertThat(Files.readAllLines(folder.resolve("killed/summary.csv")))
                .hasSize(1 + 2)
                .startsWith(String.join(",", CsvSummaries.columns()));
        EmulateIT.assertValid(Files.readString(folder.resolve("killed/results.json")));
        assertThat(folder.resolve("killed/report.html"))
                .content()
                .contains("Share of the bound", "runs succeed within 2.0 times the bound", "</html>");
    }

    @Test
    void oneProcessAtATimeWritesToAFolder() throws Exception {
        try (Launched first = bench(ENDLESS, "--report=report", "--progress=json")) {
            awaitRun(first, 2);
            for (String more : new String[] {"--jobs=1", "--restart"}) {
                try (Launched second = bench(ENDLESS, "--report=report", more)) {
                    assertThat(second.exitCode()).as(second.err()).isEqualTo(6);
                    assertThat(second.err()).contains("journal.jsonl is being written by another process");
                }
            }
            Launched.signal("INT", first.processId());
            assertThat(first.exitCode()).as(first.err()).isEqualTo(130);
        }
        try (Launched third = bench("--seeds=1", "--report=report")) {
            assertThat(third.exitCode()).as(third.err()).isZero();
            assertThat(third.err()).contains("continuing: 2 of 2 runs are done");
        }
    }

    private Launched bench(String... arguments) throws IOException {
        String[] all = new String[arguments.length + 4];
        all[0] = "bench";
        all[1] = "--scenarios=" + SCENARIOS.resolve("sc05_fig2.json");
        all[2] = "--strategies=robber,mob";
        all[3] = "--size=1M";
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return Launched.start(folder, Map.of(), all);
    }

    /** Waits until it has said that so many runs are done. */
    private static void awaitRun(Launched bench, int runs) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!bench.err().contains("\"type\":\"run\"") || !bench.err().contains("\"runs_done\":" + runs + ",")) {
            assertThat(bench.running()).as(bench.err()).isTrue();
            assertThat(System.nanoTime()).as("still nothing: %s", bench.err()).isLessThan(end);
            Thread.sleep(20);
        }
    }
}
