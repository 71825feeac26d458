package org.robber.cli.metrics;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers HTTP requests for metrics, at {@code /metrics} and everywhere else. */
final class MetricsServer implements Metrics {

    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final int THREADS = 2;
    private static final int MOST_CONNECTIONS = 200;

    static {
        // Seconds. A client that asks slowly or does not read must not block others for ever.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        // Connections that say nothing are not ended, and must not take all descriptors of the job.
        System.setProperty("jdk.httpserver.maxConnections", String.valueOf(MOST_CONNECTIONS));
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Function<Boolean, String> text;

    private MetricsServer(HttpServer server, ExecutorService threads, Function<Boolean, String> text) {
        this.server = server;
        this.threads = threads;
        this.text = text;
    }

    /**
     * Listens.
     *
     * @param address a name or an address of this machine; empty for all of them
     * @param text the metrics, given whether they are wanted as OpenMetrics
     */
    static MetricsServer start(String address, int port, Function<Boolean, String> text) throws IOException {
        InetSocketAddress place = address.isEmpty()
                ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getByName(address), port);
        ExecutorService threads = Executors.newFixedThreadPool(
                THREADS,
                new ThreadFactoryBuilder()
                        .setNameFormat("metrics")
                        .setDaemon(true)
                        .build());
        HttpServer server = HttpServer.create(place, 0);
        MetricsServer metrics = new MetricsServer(server, threads, text);
        server.createContext("/", metrics::answer);
        server.setExecutor(threads);
        server.start();
        return metrics;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String accept = exchange.getRequestHeaders().getFirst("Accept");
            boolean openMetrics = accept != null && accept.contains(OPEN_METRICS);
            byte[] body = text.apply(openMetrics).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            openMetrics
                                    ? OPEN_METRICS + "; version=1.0.0; charset=utf-8"
                                    : "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : body.length);
            if (!exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
