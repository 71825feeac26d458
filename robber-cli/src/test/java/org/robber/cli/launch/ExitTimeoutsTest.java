package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.ChannelOptions;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.SendLimits;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.request.Requests;

/** Real processes, and a time of its own. */
@Timeout(60)
class ExitTimeoutsTest {
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final AtomicLong nanos = new AtomicLong();
    private final ExitTimeouts timeouts = new ExitTimeouts(null, nanos::get);
    private final NodeOutput output =
            new PipeOutput(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    private final List<NodeProcess> started = new ArrayList<>();

    @AfterEach
    void nothingRuns() {
        started.forEach(NodeProcess::kill);
    }

    private NodeProcess ended(String script) throws Exception {
        ProcessBuilder command = new ProcessBuilder("sh", "-c", script);
        NodeProcess node = start(0, NodeProcesses.Node.local("A-0", command, Optional.empty()));
        assertThat(node.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        return node;
    }

    private NodeProcess remote(int rank, String script) throws Exception {
        Duration second = Duration.ofSeconds(1);
        NetworkSettings network = new NetworkSettings(
                second, IDLE, second, SendLimits.none(), DataAddress.any(), "", List.of(), ClusterBy.AUTO);
        NodeOrder order = new NodeOrder(
                "job",
                new JobPlace(rank, 3, "A", "h", 1),
                Requests.of("SRC", "DEST", ChannelOptions.defaults()).request(),
                null,
                network,
                true,
                Detail.NORMAL);
        Process leading = new ProcessBuilder("sh", "-c", script).start();
        return start(rank, NodeProcesses.Node.remote("A-" + rank, leading, order, () -> ""));
    }

    private NodeProcess start(int rank, NodeProcesses.Node description) throws Exception {
        NodeProcess node = NodeProcess.start(rank, description, output, StatusConsole.standardError());
        started.add(node);
        return node;
    }

    private long secondsLeft(NodeProcess... processes) {
        timeouts.loseUnconnected(List.of(processes));
        return TimeUnit.NANOSECONDS.toSeconds(timeouts.leftNanos(List.of(processes)));
    }

    @Test
    void othersHaveLittleTimeAfterAFailure() throws Exception {
        NodeProcess running = remote(1, "exec sleep 600");
        assertThat(secondsLeft(running)).isGreaterThan(Duration.ofDays(1).toSeconds());
        assertThat(secondsLeft(ended("exit 5"), running)).isEqualTo(8);
    }

    @Test
    void othersHaveMoreTimeAfterASuccess() throws Exception {
        NodeProcess running = remote(1, "exec sleep 600");
        assertThat(secondsLeft(ended("exit 0"), running)).isEqualTo(60);
    }

    /** A pager, say, that shows the first page of a long report. */
    @Test
    void aReaderOfTheResultMayPause() throws Exception {
        NodeProcess rankZero = start(
                0, NodeProcesses.Node.local("A-0", new ProcessBuilder("sh", "-c", "exec sleep 600"), Optional.empty()));
        NodeProcess other = remote(1, "exit 0");
        assertThat(other.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        timeouts.printing(true);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(secondsLeft(rankZero, other))
                .isGreaterThan(Duration.ofDays(1).toSeconds());

        timeouts.printing(false);
        assertThat(secondsLeft(rankZero, other)).isEqualTo(60);
    }

    /** The other nodes learn of it when they have heard nothing of the node for the idle timeout, and go on without it then. */
    @Test
    void theLossOfAConnectionWithAHostEndsNoJobThatWaitsLongerForTheNode() throws Exception {
        NodeProcess running = remote(1, "exec sleep 600");
        NodeProcess broken = remote(2, "exit 255");
        assertThat(broken.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        assertThat(secondsLeft(running, broken)).isEqualTo(IDLE.toSeconds() + 8);

        nanos.addAndGet(IDLE.toNanos());
        assertThat(timeouts.lose(2)).isTrue();
        assertThat(secondsLeft(running, broken))
                .isGreaterThan(Duration.ofDays(1).toSeconds());
    }

    /** Only the connection of ssh is broken: nobody in the job misses the node, which may take part to the end. */
    @Test
    void theLossOfAConnectionWithAHostEndsNoJobThatKeepsTheNode() throws Exception {
        NodeProcess broken = remote(2, "exit 255");
        assertThat(broken.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        assertThat(secondsLeft(remote(0, "exec sleep 600"), broken)).isEqualTo(IDLE.toSeconds() + 8);

        nanos.addAndGet(IDLE.plusSeconds(8).toNanos());
        assertThat(secondsLeft(remote(1, "exec sleep 600"), broken)).isZero();
        assertThat(secondsLeft(remote(0, "exec sleep 600"), broken))
                .isGreaterThan(Duration.ofDays(1).toSeconds());
        assertThat(timeouts.hasLost()).isTrue();
    }

    /** Its input is full, and somebody writes to it. */
    @Test
    void aProcessThatReadsNothingIsAskedToEndAllTheSame() throws Exception {
        NodeProcess local = start(
                0, NodeProcesses.Node.local("A-0", new ProcessBuilder("sh", "-c", "exec sleep 600"), Optional.empty()));
        NodeProcess remote = remote(1, "exec sleep 600");
        for (NodeProcess each : List.of(local, remote)) {
            Thread writer = new Thread(() -> {
                boolean unused = each.tellData(new byte[1 << 20], 1 << 20);
            });
            writer.setDaemon(true);
            writer.start();
            while (!isWriting(writer)) {
                Thread.onSpinWait();
            }
            each.stop();
        }
        assertThat(local.awaitExit(TimeUnit.SECONDS.toNanos(20))).isTrue();
        assertThat(local.signal()).isEqualTo(15);
    }

    private static boolean isWriting(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("writeBytes")) {
                return true;
            }
        }
        return false;
    }
}
