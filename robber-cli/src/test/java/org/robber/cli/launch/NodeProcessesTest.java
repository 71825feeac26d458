package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.JobControl.JobProgress;
import org.robber.RobberException;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.progress.StatusConsole;

/** The launcher with shell scripts in place of nodes. */
class NodeProcessesTest {

    private static final String ROOT = "read secret; echo listening 4711; ";
    private static final String NODE = "read secret; read rendezvous; ";

    private final List<String> results = Collections.synchronizedList(new ArrayList<>());
    private final List<String> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<RobberException> undelivered = new ArrayList<>();
    private final AtomicInteger cleanings = new AtomicInteger();
    private final CountDownLatch returned = new CountDownLatch(1);
    private long readerPauseMillis;

    @Test
    void nodesHearTheSecretAndWhereRankZeroListens(@TempDir Path folder) throws Exception {
        int code = run(
                null,
                ROOT + "echo \"$secret\" > '" + folder + "/0'; echo result done",
                NODE + "echo \"$secret $rendezvous\" > '" + folder + "/1'");

        assertThat(code).isZero();
        assertThat(Files.readString(folder.resolve("0"))).isEqualTo("secret c0ffee\n");
        assertThat(Files.readString(folder.resolve("1"))).isEqualTo("secret c0ffee rendezvous 4711\n");
        assertThat(results).containsExactly("done");
        assertThat(errors).isEmpty();
        assertThat(cleanings).hasValue(0);
    }

    @Test
    void theMostTellingErrorIsToldOnce() throws Exception {
        int code = run(
                null,
                ROOT + "echo error 5 lost a connection; exit 5",
                NODE + "echo error 6 the disk is full; exit 6",
                NODE + "echo error 5 lost a connection too; exit 5");

        assertThat(code).isEqualTo(6);
        assertThat(errors).containsExactly("6 the disk is full");
    }

    @Test
    void nodesThatAreKilledAreNamedAndTheirPlacesCleaned() throws Exception {
        int code = run(null, ROOT + "echo error 5 lost a connection; exit 5", NODE + "kill -9 $$", NODE + "exit 5");

        assertThat(code).isEqualTo(5);
        assertThat(errors).hasSize(1);
        assertThat(errors.get(0)).contains("A-1 (rank 1)", "signal 9");
        assertThat(cleanings.get()).isPositive();
        assertThat(undelivered).isEmpty();
    }

    /** Its report would be the result of the command. */
    @Test
    void theResultOfAKilledRankZeroIsDeliveredByTheLauncher() throws Exception {
        assertThat(run(null, ROOT + "kill -9 $$", NODE + "echo error 5 lost rank 0; exit 5"))
                .isEqualTo(5);
        assertThat(undelivered).singleElement().satisfies(failure -> {
            assertThat(failure).hasMessageContaining("A-0 (rank 0)").hasMessageContaining("signal 9");
            assertThat(failure.ranks()).containsExactly(0);
        });

        undelivered.clear();
        assertThat(run(null, ROOT + "echo result done; kill -9 $$")).isEqualTo(5);
        assertThat(undelivered).isEmpty();
    }

    @Test
    void nodesThatTheJobGoesOnWithoutAreNotWaitedForAndDoNotEndIt() throws Exception {
        int code = run(
                null,
                ROOT + "echo lost 1; echo lost 2; echo result one of three; echo error 23 two are lost; exit 23",
                NODE + "exec kill -9 $$",
                // as a process that is stopped: it hears nothing, and says nothing
                "trap '' TERM; while :; do sleep 1; done");

        assertThat(code).isEqualTo(23);
        assertThat(errors).containsExactly("23 two are lost");
        assertThat(results).contains("lost 1", "lost 2", "one of three");
    }

    @Test
    void nodesThatAreKilledWhenAllIsDoneDoNoHarm() throws Exception {
        int code = run(null, ROOT + "exit 0", NODE + "kill -9 $$");

        assertThat(code).isZero();
        assertThat(errors).isEmpty();
    }

    @Test
    void nodesThatStayAreStopped() throws Exception {
        int code = run(Duration.ofMillis(500), ROOT + "exec sleep 600", NODE + "exec sleep 600");

        assertThat(code).isEqualTo(30);
        assertThat(errors.get(0)).contains("deadline", "A-0", "A-1");
        assertThat(cleanings.get()).isPositive();
    }

    @Test
    void nodesThatIgnoreATerminateAreKilled() throws Exception {
        int code = run(Duration.ofMillis(500), ROOT + "trap '' TERM; while :; do sleep 1; done");

        assertThat(code).isEqualTo(30);
    }

    @Test
    void nodesDoNotWaitForARankZeroThatNeverListens() throws Exception {
        int code = run(null, "echo error 3 no such file; exit 3", "read secret; read rendezvous || exit 130");

        assertThat(code).isEqualTo(3);
        assertThat(errors).containsExactly("3 no such file");
    }

    @Test
    void nodesThatEndWithoutAWordAreNotASuccess() throws Exception {
        assertThat(run(null, ROOT + "exit 0", NODE + "echo no memory >&2; exit 1"))
                .isEqualTo(1);
        assertThat(errors)
                .containsExactly("1 A-1 (rank 1) ended with exit code 1 without a reason; it said last: no memory");
    }

    /** Longer than what keeps a pipe open may be silent. */
    @Test
    void theResultIsPrintedToTheEndHoweverSlowItsReaderIs() throws Exception {
        readerPauseMillis = 1500;

        assertThat(run(null, ROOT + "echo result one; echo result two; echo error 23 one is lost; exit 23"))
                .isEqualTo(23);
        assertThat(results).containsExactly("one", "two");
        assertThat(errors).containsExactly("23 one is lost");
    }

    /** A node must not fill the memory of its operator. */
    @Test
    void theErrorsOfANodeMayHaveNoEndOfALine() throws Exception {
        assertThat(run(null, ROOT + "exit 0", NODE + "head -c 20000 /dev/zero | tr '\\0' x >&2; exit 1"))
                .isEqualTo(1);
        assertThat(errors).singleElement().asString().endsWith("x").hasSizeLessThan(8300);
    }

    private int run(Duration limit, String... scripts) throws InterruptedException {
        List<NodeProcesses.Node> nodes = new ArrayList<>();
        for (String script : scripts) {
            nodes.add(NodeProcesses.Node.local(
                    "A-" + nodes.size(), new ProcessBuilder("sh", "-c", script), Optional.empty()));
        }
        NodeOutput output = new NodeOutput() {
            @Override
            public void listening(int port) {
                results.add("listening " + port);
            }

            @Override
            public void joined(int nodes) {
                results.add("joined " + nodes);
            }

            @Override
            public void started(long bytesTotal) {
                results.add("started " + bytesTotal);
            }

            @Override
            public void progress(JobProgress progress) {
                results.add("progress " + progress);
            }

            @Override
            public void lost(int rank) {
                results.add("lost " + rank);
            }

            @Override
            public void result(String line) {
                pauseOnce();
                results.add(line);
            }

            @Override
            public void error(int exitCode, String message) {
                errors.add(exitCode + " " + message);
            }
        };
        try {
            return new NodeProcesses(
                            "c0ffee",
                            output,
                            StatusConsole.standardError(),
                            failure -> {
                                undelivered.add(failure);
                                return failure;
                            },
                            cleanings::incrementAndGet)
                    .run(nodes, limit);
        } finally {
            returned.countDown();
        }
    }

    /** Ends early if the launcher does not wait. */
    private void pauseOnce() {
        try {
            boolean unused = returned.await(readerPauseMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        readerPauseMillis = 0;
    }
}
