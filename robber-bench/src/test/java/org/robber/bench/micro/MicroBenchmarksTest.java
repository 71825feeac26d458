package org.robber.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs, for a moment, with all its parameters: the figures mean nothing, but none can rot. */
class MicroBenchmarksTest {
    private static final Path SOURCES = Path.of("src/main/java/org/robber/bench/micro");
    private static final String SUFFIX = "Benchmark.java";

    @Test
    void everyBenchmarkRuns() throws RunnerException, IOException {
        var results = new Runner(new OptionsBuilder()
                        .include("org\\.robber\\.bench\\.micro\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertThat(results.stream().map(MicroBenchmarksTest::className).collect(Collectors.toSet()))
                .isEqualTo(benchmarkClasses());
    }

    private static String className(RunResult result) {
        return result.getParams().getBenchmark().replaceAll(".*\\.(\\w+)\\.\\w+", "$1.java");
    }

    private static Set<String> benchmarkClasses() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .collect(Collectors.toSet());
        }
    }
}
