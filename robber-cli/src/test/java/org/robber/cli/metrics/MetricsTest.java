package org.robber.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Where metrics are found. */
class MetricsTest {

    private static final List<String> PHASES = List.of("transfer");

    @TempDir
    Path folder;

    private final AtomicInteger bytes = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({
        "9100,'',9100",
        "127.0.0.1:9100,127.0.0.1,9100",
        "[::1]:80,::1,80",
        "host-1:65535,host-1,65535",
        ":9100,'',9100"
    })
    void ports(String text, String address, int port) {
        MetricsPlace place = new MetricsPlace(text);

        assertThat(place.isPort()).isTrue();
        assertThat(place.address()).isEqualTo(address);
        assertThat(place.port()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"./9100", "robber.prom", "/var/lib/robber.prom", "a/b:9100", "x:y"})
    void files(String text) {
        assertThat(new MetricsPlace(text).isPort()).isFalse();
        assertThat(new MetricsPlace(text).file()).isEqualTo(Path.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "65536", "655360", "99999999999", "host:99999", "host:655360"})
    void neither(String text) {
        assertThatThrownBy(() -> new MetricsPlace(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPortAnswersInBothFormats() throws Exception {
        int port = freePort();
        try (Metrics metrics = Metrics.start(new MetricsPlace("127.0.0.1:" + port), PHASES, this::state)) {
            assertThat(metrics).isNotNull();
            HttpResponse<String> plain = get(port, "*/*");
            assertThat(plain.statusCode()).isEqualTo(200);
            assertThat(plain.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/plain; version=0.0.4");
            assertThat(plain.body())
                    .contains("robber_data_bytes{source=\"s\"} 1\n")
                    .doesNotContain("# EOF");
            HttpResponse<String> open = get(port, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
            assertThat(open.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("application/openmetrics-text; version=1.0.0");
            assertThat(open.body())
                    .contains("robber_data_bytes{source=\"s\"} 2\n")
                    .endsWith("# EOF\n");
        }
        assertThatThrownBy(() -> get(port, "*/*")).isInstanceOf(IOException.class);
    }

    /** Nor can many connections that say nothing. */
    @Test
    void whoSaysNothingDoesNotHoldUpOthers() throws Exception {
        int port = freePort();
        List<Socket> silent = new ArrayList<>();
        try (Metrics metrics = Metrics.start(new MetricsPlace("127.0.0.1:" + port), PHASES, this::state)) {
            assertThat(metrics).isNotNull();
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                silent.add(socket);
                socket.getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get(port, "*/*").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String place = "127.0.0.1:" + taken.getLocalPort();
            assertThatThrownBy(() -> Metrics.start(new MetricsPlace(place), PHASES, this::state))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NETWORK))
                    .hasMessageContaining("metrics cannot be offered at " + place)
                    .hasMessageContaining("choose another port");
        }
    }

    @Test
    void aFileIsThereAtOnceAndHasTheLastWord() throws IOException {
        Path file = folder.resolve("robber.prom");
        try (Metrics metrics = Metrics.start(new MetricsPlace(file.toString()), PHASES, this::state)) {
            assertThat(metrics).isNotNull();
            assertThat(file).content().contains("robber_data_bytes{source=\"s\"} 1\n");
            bytes.set(1000);
        }

        assertThat(file).content().contains("robber_data_bytes{source=\"s\"} 1001\n");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFileIsWrittenAgainAfterADefect() throws Exception {
        Path file = folder.resolve("robber.prom");
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch calledAgain = new CountDownLatch(3);
        MetricsFile metrics = MetricsFile.start(file, () -> {
            calledAgain.countDown();
            if (calls.incrementAndGet() == 2) {
                throw new IllegalStateException("on purpose");
            }
            return "good";
        });
        try (metrics) {
            assertThat(calledAgain.await(20, TimeUnit.SECONDS))
                    .as("the schedule goes on")
                    .isTrue();
        }
        assertThat(file).hasContent("good");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        MetricsPlace place =
                new MetricsPlace(folder.resolve("missing/robber.prom").toString());
        assertThatThrownBy(() -> Metrics.start(place, PHASES, this::state))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                .hasMessageContaining("there is no folder " + folder.resolve("missing"));
    }

    private JobState state() {
        return new JobState("s", "robber", 0, "transfer", bytes.incrementAndGet(), null, List.of());
    }

    private static HttpResponse<String> get(int port, String accept) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", accept)
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
