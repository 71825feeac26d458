package org.robber.transport.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.robber.transport.rendezvous.TestJob.failure;
import static org.robber.transport.rendezvous.TestJob.get;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.sockets.Sockets;

/** What the control plane promises to its job, over real sockets. */
class ControlClientTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    @AfterEach
    void nothingLeaks() {
        leaks.check();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void meetingsReleaseEveryoneWithTheReplyOfRankZero(int size) throws Exception {
        try (TestJob job = new TestJob(size)) {
            List<ControlPlane> nodes = job.start();
            for (int round = 0; round < 3; round++) {
                List<CompletableFuture<byte[]>> released = new ArrayList<>();
                for (ControlPlane node : nodes) {
                    byte[] payload = new byte[] {(byte) (node.rank() + round)};
                    released.add(node.begin("sum").arrive(payload, ControlClientTest::concatenation));
                }
                for (CompletableFuture<byte[]> each : released) {
                    assertThat(get(each)).hasSize(size).startsWith(round).endsWith(size - 1 + round);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Sockets.Kind.class)
    void largePayloadsPass(Sockets.Kind kind) throws Exception {
        try (TestJob job = new TestJob(3, kind)) {
            List<ControlPlane> nodes = job.start();
            byte[] large = new byte[1 << 20];
            large[large.length - 1] = 7;
            List<CompletableFuture<byte[]>> released = new ArrayList<>();
            for (ControlPlane node : nodes) {
                released.add(node.begin("large").arrive(large, payloads -> payloads.get(2)));
            }
            for (CompletableFuture<byte[]> each : released) {
                assertThat(get(each)).isEqualTo(large);
            }
            ControlPlane.CollectiveCall next = nodes.get(1).begin("too large");
            assertThatIllegalArgumentException().isThrownBy(() -> next.arrive(new byte[(1 << 20) + 1], p -> p.get(0)));
        }
    }

    @Test
    void callsThatDoNotMatchFailEverywhere() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            List<Future<byte[]>> released = List.of(
                    arrive(nodes.get(0), "barrier"), arrive(nodes.get(1), "barrier"), arrive(nodes.get(2), "gather"));

            for (Future<byte[]> each : released) {
                RobberException failure = failure(each);
                assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                assertThat(failure.ranks()).contains(2).hasSize(2);
                assertThat(failure).hasMessageContainingAll("'barrier'", "'gather'", "rank 2");
            }
            assertThat(failure(arrive(nodes.get(1), "later"))).hasMessageContaining("'gather'");
        }
    }

    @Test
    void aReplyThatFailsFailsTheJobWithItsOwnReason() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            RobberException refusal = new RobberException(Reason.SOURCE, List.of(1), "scan", "no source");
            Future<byte[]> zero = nodes.get(0).begin("scan").arrive(new byte[0], payloads -> {
                throw refusal;
            });
            Future<byte[]> one = arrive(nodes.get(1), "scan");

            for (RobberException failure : List.of(failure(zero), failure(one))) {
                assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
                assertThat(failure.ranks()).containsExactly(1);
                assertThat(failure.phase()).isEqualTo("scan");
                assertThat(failure).hasMessage("no source");
            }
        }
    }

    @Test
    void aDefectInAReplyIsAnInternalError() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            Future<byte[]> zero = nodes.get(0).begin("scan").arrive(new byte[0], payloads -> {
                throw new IllegalStateException("a defect");
            });
            Future<byte[]> one = arrive(nodes.get(1), "scan");

            for (RobberException failure : List.of(failure(zero), failure(one))) {
                assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
                assertThat(failure).hasMessageContainingAll("'scan'", "a defect");
            }
        }
    }

    @Test
    void aReplyThatIsTooLargeIsAUsageError() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            Future<byte[]> zero = nodes.get(0).begin("gather").arrive(new byte[0], payloads -> new byte[2 << 20]);
            Future<byte[]> one = arrive(nodes.get(1), "gather");

            assertThat(failure(zero).reason()).isEqualTo(Reason.USAGE);
            assertThat(failure(one)).hasMessageContaining("2097152 bytes");
        }
    }

    @Test
    void publicationsComeToAllInOneOrder() throws Exception {
        try (TestJob job = new TestJob(4)) {
            List<ControlPlane> nodes = job.start();
            List<BlockingQueue<String>> heard = new ArrayList<>();
            for (ControlPlane node : nodes) {
                BlockingQueue<String> queue = new LinkedBlockingQueue<>();
                heard.add(queue);
                node.onPublish((from, topic, payload) -> queue.add(topic + " " + new String(payload, UTF_8)));
            }
            for (int i = 0; i < 50; i++) {
                for (ControlPlane node : nodes) {
                    node.publish("rank " + node.rank(), ("" + i).getBytes(UTF_8));
                }
            }
            List<List<String>> orders = new ArrayList<>();
            for (BlockingQueue<String> queue : heard) {
                List<String> order = new ArrayList<>();
                while (order.size() < 200) {
                    order.add(queue.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS));
                }
                orders.add(order);
            }
            assertThat(orders).allSatisfy(order -> assertThat(order).isEqualTo(orders.get(0)));
            assertThat(orders.get(0)).contains("rank 0 49", "rank 3 0");
        }
    }

    /** Others learn of it on one line. */
    @Test
    void aFailureOfSeveralLinesKeepsItsCauseHere() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            BlockingQueue<RobberException> told = new LinkedBlockingQueue<>();
            nodes.get(1).onFailure(told::add);
            IllegalStateException cause = new IllegalStateException("a defect");

            nodes.get(1)
                    .fail(new RobberException(
                            Reason.INTERNAL, List.of(1), "program", "expected:\n\t1\u001b[0m\nbut was 2", cause));

            RobberException own = told.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(own).hasCause(cause).hasMessageContaining("1\u001b[0m\nbut");
        }
    }

    @Test
    void aNodePublishesOnlyInItsOwnName() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode liar = new RawNode(job.sockets(), job.options(1), job.port());
            liar.say(RawNode.announce(job.options(1)));
            ControlPlane honest = get(zero);
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            honest.onPublish((from, topic, payload) -> heard.add(from + " " + topic));

            liar.say(new ControlMessage.Publish(0, "digest", new byte[1]));
            liar.say(ControlMessage.Publish.conclusion(0));

            assertThat(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("1 digest");
            assertThat(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("1 exit code");
            assertThat(honest.conclusion()).isNotDone();
            liar.say(new ControlMessage.Goodbye());
        }
    }

    /** After the loss of a root, all nodes may say so at once. */
    @Test
    void publicationsForRankZeroReachNoOtherNode() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            BlockingQueue<String> atZero = new LinkedBlockingQueue<>();
            BlockingQueue<String> atTwo = new LinkedBlockingQueue<>();
            nodes.get(0).onPublish((from, topic, payload) -> atZero.add(from + " " + topic));
            nodes.get(2).onPublish((from, topic, payload) -> atTwo.add(from + " " + topic));
            nodes.get(1).publish(ControlMessage.Publish.STARVED, new byte[0]);
            nodes.get(0).publish(ControlMessage.Publish.HANG, new byte[0]);
            nodes.get(1).publish("for all", new byte[0]);

            assertThat(atTwo.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("1 for all");
            meet(nodes);
            assertThat(atZero).containsExactlyInAnyOrder("1 starved", "0 hang", "1 for all");
        }
    }

    @Test
    void lateListenersHearWhatCameBefore() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            nodes.get(1).publish("first", new byte[] {1});
            nodes.get(1).publish("second", new byte[] {2});
            meet(nodes);
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            nodes.get(0).onPublish((from, topic, payload) -> heard.add(topic + payload[0]));

            assertThat(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("first1");
            assertThat(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("second2");
        }
    }

    @Test
    void aListenerThatFailsFailsTheJob() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            nodes.get(1).onPublish((from, topic, payload) -> {
                throw new IllegalStateException("a defect");
            });
            nodes.get(0).publish("topic", new byte[0]);
            RobberException failure = failure(arrive(nodes.get(0), "barrier"));

            assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
            assertThat(failure.ranks()).containsExactly(1);
            assertThat(failure).hasMessageContaining("a defect");
        }
    }

    @Test
    void progressOfAllComesToRankZero() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            nodes.get(0)
                    .rankZero()
                    .orElseThrow()
                    .onProgress((rank, progress) -> heard.add(rank + ": " + progress.bytesDone()));
            meet(nodes);
            for (ControlPlane node : nodes) {
                node.report(new Progress("multicast 1", node.rank() * 10L, 100));
            }
            List<String> lines = new ArrayList<>();
            while (lines.size() < 3) {
                lines.add(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS));
            }
            assertThat(lines).containsExactlyInAnyOrder("0: 0", "1: 10", "2: 20");
        }
    }

    @Test
    void theFirstFailureEndsEverythingEverywhereAndIsToldOnce() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            Future<byte[]> pending = arrive(nodes.get(0), "barrier");
            List<BlockingQueue<RobberException>> told = new ArrayList<>();
            for (ControlPlane node : nodes) {
                for (int listener = 0; listener < 2; listener++) {
                    BlockingQueue<RobberException> queue = new LinkedBlockingQueue<>();
                    told.add(queue);
                    node.onFailure(queue::add);
                }
            }
            meetOthers(nodes);
            RobberException full = new RobberException(
                    Reason.DESTINATION, List.of(2), "multicast 1", "disk full", new IllegalStateException("cause"));
            nodes.get(2).fail(full);
            nodes.get(2).fail(new RobberException(Reason.INTERNAL, List.of(2), "", "a second one"));

            for (BlockingQueue<RobberException> queue : told) {
                RobberException failure = queue.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS);
                assertThat(failure).hasMessage("disk full");
                assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
                assertThat(failure.ranks()).containsExactly(2);
                assertThat(failure.phase()).isEqualTo("multicast 1");
            }
            assertThat(failure(pending)).hasMessage("disk full");
            assertThat(failure(arrive(nodes.get(2), "later"))).isSameAs(full);
            BlockingQueue<RobberException> late = new LinkedBlockingQueue<>();
            nodes.get(1).onFailure(late::add);
            assertThat(late.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).hasMessage("disk full");
            assertThat(told).allSatisfy(queue -> assertThat(queue).isEmpty());
        }
    }

    @Test
    void aFailureIsHeardEvenIfItsNodeLeavesAtOnce() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            Future<byte[]> pending = arrive(nodes.get(0), "barrier");
            nodes.get(1).fail(new RobberException(Reason.SOURCE, List.of(1), "scan\ud800", "no such file"));
            nodes.get(1).close();

            assertThat(failure(pending)).hasMessage("no such file");
            assertThat(failure(arrive(nodes.get(2), "barrier"))).hasMessage("no such file");
        }
    }

    @Test
    void allAgreeOnTheFirstOfManyFailures() throws Exception {
        try (TestJob job = new TestJob(8)) {
            List<ControlPlane> nodes = job.start();
            List<Future<byte[]>> pending = new ArrayList<>();
            nodes.forEach(node -> pending.add(arrive(node, "barrier " + node.rank() / 7)));
            nodes.forEach(node ->
                    node.fail(new RobberException(Reason.NETWORK, List.of(node.rank()), "", "of " + node.rank())));

            String first = failure(pending.get(0)).getMessage();
            for (Future<byte[]> each : pending) {
                assertThat(failure(each)).hasMessage(first);
            }
        }
    }

    @Test
    void nothingIsToldAfterClose() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            BlockingQueue<Object> told = new LinkedBlockingQueue<>();
            nodes.get(1).onFailure(told::add);
            nodes.get(1).onPublish((from, topic, payload) -> told.add(topic));
            Future<byte[]> pending = arrive(nodes.get(1), "barrier");
            nodes.get(1).close();
            nodes.get(0).publish("late", new byte[0]);
            nodes.get(0).close();
            nodes.get(1).onFailure(told::add);
            nodes.get(1).fail(new RobberException(Reason.INTERNAL, List.of(1), "", "late"));

            assertThat(failure(pending)).hasMessageContaining("rank 1 has left");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void closingOnOneOfItsOwnThreadsDoesNotWait() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            for (ControlPlane node : nodes) {
                node.onPublish((from, topic, payload) -> {
                    node.close();
                    if (node.rank() == 0) {
                        closed.complete(true);
                    }
                });
            }
            nodes.get(1).publish("end", new byte[0]);

            assertThat(get(closed)).isTrue();
        }
    }

    @Test
    void whatStillWorksAfterTheSocketsAreGone() throws Exception {
        ControlPlane alone;
        try (TestJob job = new TestJob(1)) {
            alone = job.start().get(0);
        }
        alone.close();
        alone.publish("nobody", new byte[0]);

        assertThat(failure(arrive(alone, "barrier")).reason()).isEqualTo(Reason.USAGE);
    }

    @Test
    void leavingInPeaceIsNoFailure() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            meet(nodes);
            BlockingQueue<RobberException> told = new LinkedBlockingQueue<>();
            nodes.forEach(node -> node.onFailure(told::add));
            meet(nodes);
            nodes.get(2).close();
            nodes.get(2).close();
            nodes.get(1).close();
            nodes.get(0).close();

            assertThat(told).isEmpty();
            assertThat(failure(arrive(nodes.get(1), "barrier"))).hasMessageContaining("rank 1 has left");
        }
    }

    @Test
    void whoCallsSomebodyThatHasLeftIsTold() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> nodes = job.start();
            nodes.get(2).close();

            RobberException failure = failure(arrive(nodes.get(1), "barrier"));
            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure.ranks()).containsExactly(2, 1);
            assertThat(failure)
                    .hasMessageMatching("node \\S+ \\(rank 2, host \\S+, pid \\d+\\) has left the job,"
                            + " but node \\S+ \\(rank 1, host \\S+, pid \\d+\\) calls 'barrier'");
        }
    }

    @Test
    void whoCallsRankZeroAfterItHasLeftIsTold() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            Future<?> closing = job.run(() -> {
                nodes.get(0).close();
                return null;
            });
            RobberException failure = failure(arrive(nodes.get(1), "barrier"));

            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
            assertThat(failure).hasMessageContainingAll("(rank 0, host ", " has left the job, but ", "(rank 1, host ");
            nodes.get(1).close();
            get(closing);
        }
    }

    /** A node that has begun a call arrives once its part is done, which may be after rank 0 has left. */
    @Test
    void whoArrivesAfterRankZeroHasLeftIsTold() throws Exception {
        try (TestJob job = new TestJob(2)) {
            List<ControlPlane> nodes = job.start();
            ControlPlane.CollectiveCall begun = nodes.get(1).begin("barrier");
            BlockingQueue<RobberException> told = new LinkedBlockingQueue<>();
            nodes.get(1).onFailure(told::add);
            Future<?> closing = job.run(() -> {
                nodes.get(0).close();
                return null;
            });
            assertThat(told.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasMessageContainingAll("(rank 0, host ", " has left the job, but ", "(rank 1, host ");

            assertThat(failure(begun.arrive(new byte[0], ControlClientTest::concatenation)))
                    .hasMessageContaining(" has left the job, but ");
            nodes.get(1).close();
            get(closing);
        }
    }

    private static byte[] concatenation(List<byte[]> payloads) {
        byte[] all = new byte[payloads.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = payloads.get(i)[0];
        }
        return all;
    }

    private static Future<byte[]> arrive(ControlPlane node, String call) {
        return node.begin(call).arrive();
    }

    private static void meet(List<ControlPlane> nodes) throws Exception {
        List<Future<byte[]>> released = new ArrayList<>();
        nodes.forEach(node -> released.add(arrive(node, "barrier")));
        for (Future<byte[]> each : released) {
            get(each);
        }
    }

    /** Has the listeners of all set: a listener that is late would be told as well, but not by the same path. */
    private static void meetOthers(List<ControlPlane> nodes) throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        for (ControlPlane node : nodes) {
            node.onPublish((from, topic, payload) -> heard.add(topic));
        }
        nodes.get(1).publish("here", new byte[0]);
        for (int i = 0; i < nodes.size(); i++) {
            assertThat(heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("here");
        }
    }
}
