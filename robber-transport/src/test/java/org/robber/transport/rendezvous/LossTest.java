package org.robber.transport.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.transport.rendezvous.TestJob.failure;
import static org.robber.transport.rendezvous.TestJob.get;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlMessage.Arrive;
import org.robber.transport.control.ControlMessage.Call;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.sockets.Sockets;

/** Nodes that die, fall silent or go mad in the middle of a job. */
class LossTest {
    private static final String RESULTS = "results";

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    @AfterEach
    void nothingLeaks() {
        leaks.check();
    }

    @Test
    void aLostNodeIsNamedEverywhereWithItsPhase() throws Exception {
        Sockets mortal = Sockets.open(1);
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0).withCluster("X"));
            Future<ControlPlane> one = job.join(job.options(1).withCluster("Y"));
            Future<ControlPlane> two = job.joinOn(mortal, job.options(2).withCluster("Y"));
            BlockingQueue<Integer> reports = new LinkedBlockingQueue<>();
            get(zero).rankZero().orElseThrow().onProgress((rank, progress) -> reports.add(rank));
            // Which is heard once the listener is set: what a node says stays in order.
            meet(get(zero), get(one), get(two));
            get(two).report(new Progress("multicast 2", 1, 2));
            assertThat(reports.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(2);

            mortal.close();

            for (Future<ControlPlane> each : List.of(zero, one)) {
                RobberException failure = told(get(each));
                assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
                assertThat(failure.ranks()).containsExactly(2);
                assertThat(failure.phase()).isEqualTo("multicast 2");
                assertThat(failure.getMessage())
                        .startsWith("node Y-1 (rank 2, host ")
                        .contains("pid " + ProcessHandle.current().pid())
                        .contains(") was lost during 'multicast 2': its process ended or its network broke");
            }
        }
    }

    @Test
    void afterTheLastBarrierCallsGoOnWithoutTheLost() throws Exception {
        Sockets mortal = Sockets.open(1);
        try (TestJob job = new TestJob(4)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            Future<ControlPlane> one = job.join(job.options(1));
            Future<ControlPlane> two = job.joinOn(mortal, job.options(2));
            Future<ControlPlane> three = job.join(job.options(3));
            Map<Integer, RobberException> lost = new ConcurrentHashMap<>();
            get(zero).onLost(lost::put);
            get(zero).rankZero().orElseThrow().goOnWithoutLost();
            meet(get(zero), get(one), get(two), get(three));

            // One that is lost in a call, and one that tells of its failure itself.
            Future<byte[]> ofOne = bring(get(one), 1);
            mortal.close();
            Future<byte[]> ofThree = bring(get(three), 3);
            get(three).giveUp(new RobberException(Reason.INTERRUPTED, List.of(3), "commit", "rank 3 was told to stop"));
            assertThat(failure(ofThree).reason()).isEqualTo(Reason.INTERRUPTED);
            Future<byte[]> ofZero = bring(get(zero), 0);

            assertThat(get(ofZero)).containsExactly(0, 1, 3);
            assertThat(get(ofOne)).containsExactly(0, 1, 3);
            Future<byte[]> next = bring(get(one), 1);
            assertThat(get(bring(get(zero), 0))).containsExactly(0, 1);
            assertThat(get(next)).containsExactly(0, 1);
            assertThat(lost).containsOnlyKeys(2, 3);
            assertThat(lost.get(2)).hasMessageContaining("rank 2");
            assertThat(lost.get(3)).hasMessage("rank 3 was told to stop");
        }
    }

    @Test
    void aLossBeforeAllCallsEndsTheJobAtTheFirstOfRankZero() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> left = lostBeforeAllCalls(job);

            Future<byte[]> earlier = bring(left.get(1), 1);
            failure(bring(left.get(0), 0));

            RobberException failure = failure(earlier);
            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure.ranks()).containsExactly(2);
            assertThat(failure).hasMessageContainingAll("rank 2, ", "was lost: ");
        }
    }

    @Test
    void aLossBeforeAllCallsIsToleratedByThoseThatBeginTolerant() throws Exception {
        try (TestJob job = new TestJob(3)) {
            List<ControlPlane> left = lostBeforeAllCalls(job);

            Future<byte[]> ofOne = bring(left.get(1), 1);
            left.get(0).rankZero().orElseThrow().goOnWithoutLost();
            Future<byte[]> ofZero = bring(left.get(0), 0);

            assertThat(get(ofZero)).containsExactly(0, 1);
            assertThat(get(ofOne)).containsExactly(0, 1);
        }
    }

    /** Ranks 0 and 1 of a job of three nodes. Both know that rank 2 was lost. */
    private static List<ControlPlane> lostBeforeAllCalls(TestJob job) throws Exception {
        Sockets mortal = Sockets.open(1);
        Future<ControlPlane> zero = job.join(job.options(0));
        Future<ControlPlane> one = job.join(job.options(1));
        Future<ControlPlane> two = job.joinOn(mortal, job.options(2));
        BlockingQueue<Integer> lost = new LinkedBlockingQueue<>();
        for (Future<ControlPlane> each : List.of(zero, one)) {
            get(each).onLost((rank, why) -> lost.add(rank));
        }
        get(two);

        mortal.close();

        for (int told = 0; told < 2; told++) {
            assertThat(lost.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
        }
        return List.of(get(zero), get(one));
    }

    @Test
    void thoseThatOthersWaitForAreKnown() throws Exception {
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            Future<ControlPlane> one = job.join(job.options(1));
            Future<ControlPlane> two = job.join(job.options(2));
            assertThat(get(get(zero).rankZero().orElseThrow().absent())).isEmpty();

            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            get(zero).onPublish((from, topic, payload) -> heard.add(topic));
            ControlPlane.CollectiveCall begun = get(one).begin(RESULTS);
            get(one).publish("one has begun", new byte[0]);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one has begun");
            assertThat(get(get(zero).rankZero().orElseThrow().absent()))
                    .as("nobody waits yet")
                    .isEmpty();

            Future<byte[]> ofOne = bring(begun, 1);
            get(one).publish("one waits", new byte[0]);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one waits");
            assertThat(get(get(zero).rankZero().orElseThrow().absent())).containsExactly(0, 2);
            assertThat(get(two).rankZero()).as("known at rank 0 only").isEmpty();

            Future<byte[]> ofZero = bring(get(zero), 0);
            get(zero).publish("zero waits", new byte[0]);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("zero waits");
            assertThat(get(get(zero).rankZero().orElseThrow().absent())).containsExactly(2);
            get(bring(get(two), 2));
            assertThat(get(ofZero)).containsExactly(0, 1, 2);
            assertThat(get(ofOne)).containsExactly(0, 1, 2);
            assertThat(get(get(zero).rankZero().orElseThrow().absent())).isEmpty();
        }
    }

    @Test
    void aLostRankZeroIsNamedEverywhere() throws Exception {
        Sockets mortal = Sockets.open(1);
        try (TestJob job = new TestJob(3)) {
            Future<ControlPlane> zero = job.joinOn(mortal, job.options(0));
            Future<ControlPlane> one = job.join(job.options(1));
            Future<ControlPlane> two = job.join(job.options(2));
            get(zero);
            Future<byte[]> pending = get(one).begin("barrier").arrive(new byte[0], payloads -> payloads.get(0));
            get(two);

            mortal.close();

            RobberException failure = failure(pending);
            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure.ranks()).containsExactly(0);
            assertThat(failure.getMessage())
                    .startsWith("node A-0 (rank 0, host ")
                    .contains("was lost during 'barrier'");
            assertThat(told(get(two)).ranks()).containsExactly(0);
        }
    }

    /** Rank 1: it says who it is, and nothing more. */
    private static RawNode silentNode(TestJob job) throws Exception {
        RawNode silent = new RawNode(job.sockets(), job.options(1), job.port());
        silent.fallSilent();
        silent.say(RawNode.announce(job.options(1)));
        return silent;
    }

    @Test
    void aSilentNodeIsLost() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0).withSilenceTimeout(Duration.ofMillis(400)));
            silentNode(job);

            RobberException failure = failure(bring(get(zero), 0));
            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure)
                    .hasMessage("node A-1 (rank 1, host raw, pid 1234) was lost: " + "it sent nothing for 0.4 s");
        }
    }

    /** It may have been suspended only, and must not blame rank 0. */
    @Test
    void aSilentNodeIsToldThatItIsLost() throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0).withSilenceTimeout(Duration.ofMillis(400)));
            RawNode silent = silentNode(job);
            assertThat(silent.heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(Roster.class);
            get(zero).rankZero().orElseThrow().goOnWithoutLost();

            assertThat(silent.heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(Lost.class, lost -> {
                        assertThat(lost.rank()).isEqualTo(1);
                        assertThat(lost.text()).contains("rank 1", "it sent nothing for 0.4 s");
                    });
            assertThat(get(silent.ended)).isNotEmpty();
        }
    }

    @Test
    void garbageFromANodeOfTheJobIsItsEnd() throws Exception {
        RobberException failure = afterMadness(node -> node.say(new byte[] {0, 0, 0, 1, 99}));

        assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
        assertThat(failure.ranks()).containsExactly(1);
        assertThat(failure).hasMessageContainingAll("rank 1, host raw", "broke the protocol");
    }

    @Test
    void anOversizedFrameFromANodeOfTheJobIsItsEnd() throws Exception {
        RobberException failure = afterMadness(node -> node.say(new byte[] {0x7f, 0, 0, 0, 69}));

        assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
        assertThat(failure).hasMessageContainingAll("rank 1, host raw", "ARRIVE: frame of 2130706436 bytes");
    }

    @Test
    void whatOnlyRankZeroMaySayIsNotHeardFromOthers() throws Exception {
        RobberException failure = afterMadness(node -> node.say(new byte[] {0, 0, 0, 1, 66}));

        assertThat(failure).hasMessageContaining("ROSTER has no place here");
    }

    @Test
    void callsOutOfOrderFailTheJob() throws Exception {
        RobberException failure = afterMadness(node -> node.say(new Call(3, "barrier")));

        assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
        assertThat(failure)
                .hasMessageContainingAll("(rank 1, host ", "broke the protocol: call 3 where call 0 was due");
    }

    @Test
    void arrivingWithoutACallFailsTheJob() throws Exception {
        RobberException failure = afterMadness(node -> node.say(new Arrive(0, new byte[0])));

        assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
        assertThat(failure).hasMessageContaining("the end of call 0, which it isn't in");
    }

    @FunctionalInterface
    private interface Madness {
        void of(RawNode node) throws Exception;
    }

    /** How rank 0's job fails when one of its nodes does that. */
    private static RobberException afterMadness(Madness madness) throws Exception {
        try (TestJob job = new TestJob(2)) {
            Future<ControlPlane> zero = job.join(job.options(0));
            RawNode node = new RawNode(job.sockets(), job.options(1), job.port());
            node.say(RawNode.announce(job.options(1)));
            assertThat(node.heard.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Roster.class);
            Future<byte[]> call = bring(get(zero), 0);
            madness.of(node);
            return failure(call);
        }
    }

    private static RobberException told(ControlPlane controlPlane) throws Exception {
        BlockingQueue<RobberException> told = new LinkedBlockingQueue<>();
        controlPlane.onFailure(told::add);
        RobberException failure = told.poll(TestJob.LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(failure).as("a failure").isNotNull();
        return failure;
    }

    /** Brings one byte to a call; its reply has those that came. */
    private static Future<byte[]> bring(ControlPlane node, int value) {
        return bring(node.begin(RESULTS), value);
    }

    private static Future<byte[]> bring(ControlPlane.CollectiveCall call, int value) {
        return call.arrive(new byte[] {(byte) value}, payloads -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            payloads.forEach(all::writeBytes);
            return all.toByteArray();
        });
    }

    private static void meet(ControlPlane... nodes) throws Exception {
        Future<byte[]> last = null;
        for (ControlPlane node : nodes) {
            last = node.begin("barrier").arrive();
        }
        get(last);
    }
}
