package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.RobberException.Reason;
import org.robber.cli.report.ReportSchema;

/** What programs and people see of a running job: events, metrics, pages. */
@Execution(ExecutionMode.CONCURRENT)
class WatchIT {

    private static final String PYTHON = "/usr/bin/python3";
    private static final String PARSER = """
        import sys
        from prometheus_client.openmetrics import parser as openmetrics
        from prometheus_client import parser as prometheus
        name = sys.argv[1]
        parser = openmetrics if name.endswith('.openmetrics') else prometheus
        for family in parser.text_string_to_metric_families(open(name).read()):
            for sample in family.samples:
                print(family.type, sample.name, sample.labels.get('origin', '-'), int(sample.value))
        """;

    private static final int BYTES = 6 << 20;

    /** So that a transfer takes some seconds, and can be looked at. */
    private static final String SLOW = "--bwlimit=1M";

    @TempDir
    Path folder;

    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        byte[] data = new byte[BYTES];
        new Random(4).nextBytes(data);
        source = Files.write(folder.resolve("source"), data);
    }

    @Test
    void everyLineOfProgressIsAnEvent() throws Exception {
        try (Launched run = replicate("--local=2x1", "-q", "--progress=json", SLOW)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            List<String> lines = run.err().lines().toList();
            assertThat(lines).hasSizeGreaterThan(3);
            for (String line : lines) {
                assertThat(ReportSchema.problems(line, "events.schema.json"))
                        .as(line)
                        .isEmpty();
            }
            assertThat(lines.get(0)).contains("\"type\":\"started\"", "\"bytes_total\":" + BYTES);
            assertThat(lines.get(lines.size() - 1)).contains("\"type\":\"progress\"", "\"bytes_done\":" + BYTES);
        }
    }

    @Test
    void metricsAreReadByPrometheus() throws Exception {
        assumeThat(new ProcessBuilder(PYTHON, "-c", "import prometheus_client")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor())
                .isZero();
        int port = FreePort.find();
        Path file = folder.resolve("robber.prom");
        try (Launched run = replicate("--local=2x2", "--progress=json", SLOW, "--metrics=127.0.0.1:" + port)) {
            run.awaitSaid("\"type\":\"progress\"", TimeUnit.SECONDS.toNanos(60));
            for (String format : List.of("text/plain", "application/openmetrics-text")) {
                Path scraped = folder.resolve(format.startsWith("text") ? "scraped.prom" : "scraped.openmetrics");
                Files.writeString(scraped, scrape(port, format));
                assertThat(parsed(scraped))
                        .anyMatch(line -> line.matches("\\w+ robber_job_info - 1"))
                        .contains("gauge robber_data_bytes - " + BYTES)
                        .anyMatch(line -> line.matches("counter robber_received_bytes_total wan [1-9]\\d*"))
                        .noneMatch(line -> line.contains("robber_job_exit_code"));
            }
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        try (Launched run = replicate("--local=2x2", "--restart", "--metrics=" + file)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(parsed(file)).contains("gauge robber_job_exit_code - 0");
        assertThat(parsed(file).stream().filter(("gauge robber_node_verified_bytes - " + BYTES)::equals))
                .hasSize(4);
    }

    @Test
    void aPortThatIsTakenEndsTheJobBeforeItBegins() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Launched run = replicate("--local=1x2", "--metrics=127.0.0.1:" + taken.getLocalPort())) {
            assertThat(run.exitCode()).isEqualTo(Reason.NETWORK.exitCode());
            assertThat(run.err())
                    .contains("metrics cannot be offered at 127.0.0.1:" + taken.getLocalPort() + ": ")
                    .contains("choose another port");
            assertThat(folder.resolve("copies/A-1/source")).doesNotExist();
        }
    }

    @Test
    void whatCannotBeWrittenOrIsNoPortIsNamed() throws Exception {
        try (Launched run = replicate("--local=1x2", "--metrics=" + folder.resolve("none/robber.prom"))) {
            assertThat(run.exitCode()).isEqualTo(Reason.DESTINATION.exitCode());
            assertThat(run.err()).contains("there is no folder " + folder.resolve("none"));
        }
        try (Launched run = replicate("--local=1x2", "--metrics=70000")) {
            assertThat(run.exitCode()).isEqualTo(Reason.USAGE.exitCode());
            assertThat(run.err()).contains("'70000' is no port: ports are from 1 to 65535");
        }
        try (Launched run = Launched.start(
                folder,
                Map.of(),
                "verify",
                "--report=page.html",
                folder.resolve("copies").toString())) {
            assertThat(run.exitCode()).isEqualTo(Reason.USAGE.exitCode());
            assertThat(run.err()).contains("--report: only copies have pages");
        }
    }

    @Test
    void thePageAndTheMetricsTellOfAJobThatHasFailed() throws Exception {
        Path file = folder.resolve("robber.prom");
        Path page = folder.resolve("page.html");
        try (Launched run =
                replicate("--local=2x1", "--bwlimit=200K", "--deadline=10s", "--metrics=" + file, "--report=" + page)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(Reason.DEADLINE.exitCode());
        }
        assertThat(file).content().containsPattern("robber_job_exit_code\\{[^}]*} 30\n");
        assertThat(page)
                .content()
                .contains("exit code 30", "the deadline of 10 s has passed during 'transfer'", "A \u2192 B");
    }

    private Launched replicate(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("replicate"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(source.toString(), folder.resolve("copies").toString()));
        return Launched.start(folder, Map.of(), arguments.toArray(new String[0]));
    }

    private static String scrape(int port, String accept) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", accept)
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private List<String> parsed(Path file) throws IOException, InterruptedException {
        try (Launched python = Launched.command(folder, Map.of(), List.of(PYTHON, "-c", PARSER, file.toString()))) {
            assertThat(python.exitCode()).as(python.err()).isZero();
            return python.out().lines().toList();
        }
    }
}
