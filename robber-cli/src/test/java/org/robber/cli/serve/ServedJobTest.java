package org.robber.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.Frames.Kind;
import org.robber.transport.security.Credentials;
import org.robber.transport.service.ServiceConnection;
import org.robber.transport.service.ServiceDialer;
import org.robber.transport.service.ServiceManager;
import org.robber.transport.service.ServicePort;

/** The process of a node, over a connection with its operator. */
@Timeout(60)
class ServedJobTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Credentials NO_SECRET = Credentials.ofSecret(new byte[0]);

    private final BlockingQueue<ServiceConnection> accepted = new LinkedBlockingQueue<>();

    private ServicePort port() throws IOException {
        return ServicePort.open(
                new ServiceManager(Map.of()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> NO_SECRET,
                accepted::add);
    }

    private ServedJob job(Process process) throws InterruptedException {
        ServiceConnection connection = accepted.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(connection).isNotNull();
        return new ServedJob(connection, new Frames(connection.input(), connection.output()), process);
    }

    /** More than a pipe holds is on its way to it. */
    @Test
    void aNodeThatReadsNothingEndsSoonAfterItsOperator() throws Exception {
        try (ServicePort port = port();
                ServiceDialer dialer = new ServiceDialer(NO_SECRET)) {
            ServiceConnection operator =
                    dialer.connect("127.0.0.1", port.address().getPort(), LIMIT);
            Frames frames = new Frames(operator.input(), operator.output());
            // a connection is accepted when its first bytes come
            frames.write(Kind.INPUT, new byte[1]);
            ServedJob job = job(new ProcessBuilder("sleep", "600").start());
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try (operator) {
                    frames.write(Kind.INPUT, new byte[1 << 20], 0, 1 << 20);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(job.run()).as("killed").isEqualTo(128 + 9);
            sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void inputComesInOrderAndTheEndBehindIt() throws Exception {
        try (ServicePort port = port();
                ServiceDialer dialer = new ServiceDialer(NO_SECRET)) {
            ServiceConnection operator =
                    dialer.connect("127.0.0.1", port.address().getPort(), LIMIT);
            operator.limitReads(LIMIT);
            Frames frames = new Frames(operator.input(), operator.output());
            frames.write(Kind.INPUT, "one ");
            frames.write(Kind.INPUT, "two");
            frames.write(Kind.INPUT, new byte[0]);
            ServedJob job = job(new ProcessBuilder("cat").start());
            Thread runs = new Thread(() -> {
                try {
                    job.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            runs.start();
            StringBuilder output = new StringBuilder();
            Frame frame = frames.read();
            while (frame != null && frame.kind() == Kind.OUTPUT) {
                output.append(new String(frame.bytes(), UTF_8));
                frame = frames.read();
            }
            assertThat(output).hasToString("one two");
            assertThat(frame).isNotNull();
            assertThat(frame.kind()).isEqualTo(Kind.EXIT);
            operator.close();
            runs.join(LIMIT.toMillis());
            assertThat(runs.isAlive()).isFalse();
        }
    }
}
