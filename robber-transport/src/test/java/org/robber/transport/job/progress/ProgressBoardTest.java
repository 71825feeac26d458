package org.robber.transport.job.progress;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.JobControl.JobProgress;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.job.Cluster;

/** The watch for multicasts that stand still, with a clock of its own. */
class ProgressBoardTest {
    private static final String PHASE = "multicast 4";
    private static final String NEXT = "multicast 5";

    private final AtomicLong nowNanos = new AtomicLong(-5);
    private final Cluster cluster = new Cluster(1, 2, 1);
    private final ProgressBoard board = new ProgressBoard(cluster.context(0), nowNanos::get);

    @BeforeEach
    void begins() {
        board.begin(PHASE, 1000, 0);
    }

    @AfterEach
    void ends() {
        board.end(PHASE);
        board.end(NEXT);
        cluster.close();
    }

    @Test
    void aMulticastInWhichNothingMovesFailsAndNamesWhoIsNotDone() {
        onlyRankTwoIsLate();
        passTime(59);
        assertThat(cluster.controlPlane().failure()).isNull();
        passTime(1);

        RobberException failure = cluster.controlPlane().failure();
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
        assertThat(failure.ranks()).containsExactly(2);
        assertThat(failure.phase()).isEqualTo(PHASE);
        assertThat(failure)
                .hasMessage("nothing has moved for 60 s during 'multicast 4'; 1 of 3 nodes are not done, the first is"
                        + " node B-0 (rank 2, host here, pid 1)");
    }

    @Test
    void aListenerThatFailsDoesNotEndTheWatch() {
        board.listen(progress -> {
            throw new IllegalStateException("no terminal");
        });
        onlyRankTwoIsLate();
        passTime(60);
        assertThat(cluster.controlPlane().failure()).isNotNull();
    }

    /** A node may begin before rank 0, and be done before it says so again. */
    @Test
    void reportsFromBeforeRankZeroBeganCount() {
        onlyRankTwoIsLate();
        cluster.controlPlane().of(2).report(new Progress(NEXT, 1000, 1000));
        board.end(PHASE);
        board.begin(NEXT, 1000, 0);

        assertThat(board.bytesDone(1)).isZero();
        assertThat(board.bytesDone(2)).isEqualTo(1000);
    }

    /** Those of two channels. */
    @Test
    void eachMulticastIsWatched() {
        board.begin(NEXT, 1000, 0);
        onlyRankTwoIsLate();
        for (int rank = 0; rank < 3; rank++) {
            cluster.context(rank).controlPlane().report(new Progress(NEXT, 1000, 1000));
        }
        board.end(NEXT);
        passTime(60);

        assertThat(cluster.controlPlane().failure())
                .isNotNull()
                .hasMessageStartingWith("nothing has moved for 60 s during 'multicast 4'; 1 of 3 nodes are not done");
    }

    @Test
    void anotherMulticastThatMovesHidesNoStandstill() {
        board.begin(NEXT, 1000, 0);
        onlyRankTwoIsLate();
        for (int second = 0; second < 60; second++) {
            cluster.context(2).controlPlane().report(new Progress(NEXT, second, 1000));
            passTime(1);
        }

        assertThat(cluster.controlPlane().failure()).isNotNull().hasMessageContaining("'multicast 4'");
    }

    @Test
    void whatStillRunsIsShownOnceTheOtherHasEnded() {
        List<Long> told = new ArrayList<>();
        board.listen(progress -> told.add(progress.bytesDone()));
        report(1, 400);
        board.begin(NEXT, 7, 0);
        board.tell();
        board.end(NEXT);
        board.tell();
        board.tell();

        assertThat(told).containsExactly(0L, 14L, 400L);
    }

    @Test
    void whoStarvedBeforeRankZeroBeganStillStarves() {
        board.end(PHASE);
        board.lose(1);
        cluster.controlPlane().of(2).report(new Progress(NEXT, 400, 1000));
        board.starved(new CopyWatch.Starved(0, NEXT, PieceSet.range(10, 4, 10)));
        board.starved(new CopyWatch.Starved(2, NEXT, PieceSet.range(10, 4, 10)));
        beginOfRankOne(NEXT);

        assertThat(cluster.controlPlane().failure())
                .isNotNull()
                .hasMessageContaining("6 of 10 pieces (4-9) were lost during 'multicast 5'");
    }

    @Test
    void whoGotMoreBeforeRankZeroBeganDoesNotStarve() {
        board.end(PHASE);
        board.lose(1);
        board.starved(new CopyWatch.Starved(0, NEXT, PieceSet.range(10, 4, 10)));
        board.starved(new CopyWatch.Starved(2, NEXT, PieceSet.range(10, 4, 10)));
        cluster.controlPlane().of(2).report(new Progress(NEXT, 700, 1000));
        beginOfRankOne(NEXT);

        assertThat(cluster.controlPlane().failure()).isNull();
    }

    @Test
    void whatNodesLackedBeforeALossCountsNoMore() {
        board.end(PHASE);
        board.starved(new CopyWatch.Starved(0, NEXT, PieceSet.range(10, 4, 10)));
        board.starved(new CopyWatch.Starved(2, NEXT, PieceSet.range(10, 4, 10)));
        board.lose(1);
        beginOfRankOne(NEXT);

        assertThat(cluster.controlPlane().failure()).isNull();
    }

    private void beginOfRankOne(String phase) {
        board.begin(phase, 1000, 1);
        board.watchCopies(phase, List.of(0, 1, 2), DataPlacement.ofRoot(1, 10));
        board.tick();
    }

    @Test
    void theLastReportOfANodeSaysWhereItsBytesCameFrom() {
        var received = ImmutableSortedMap.of(0, 300L, 1, 100L);
        cluster.context(2).controlPlane().report(new Progress(PHASE, 400, 1000, received));

        assertThat(board.bytesReceived(1)).isEmpty();
        assertThat(board.bytesReceived(2)).isEqualTo(received);
        board.begin(NEXT, 1000, 0);
        assertThat(board.bytesReceived(2)).isEmpty();
    }

    @Test
    void withoutAnyProgressTheRootIsNamed() {
        report(0, 0);
        report(1, 400);
        report(2, 400);
        passTime(60);

        assertThat(cluster.controlPlane().failure())
                .hasMessageEndingWith(
                        "2 of 3 nodes are not done, the first is node A-1 (rank 1, host here, pid 1); no node makes"
                                + " progress, so look first whether reading or writing hangs at node A-0 (rank 0, host"
                                + " here, pid 1)");
    }

    /** The others wait for pieces that the first of them was to bring. */
    @Test
    void aNodeWhoseStorageHangsIsBlamedAndNotThoseThatWaitForIt() {
        report(0, 0);
        report(1, 400);
        report(2, 300);
        passTime(30);
        board.hangs(2);
        passTime(30);

        assertThat(cluster.controlPlane().failure()).isInstanceOfSatisfying(RobberException.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
            assertThat(failure.ranks()).containsExactly(2);
        });
    }

    /** It hangs in the multicast of another channel. */
    @Test
    void aNodeThatHangsBeforeItBeginsIsBlamed() {
        report(0, 0);
        report(1, 400);
        passTime(30);
        board.hangs(2);
        passTime(30);

        assertThat(cluster.controlPlane().failure())
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.ranks()).containsExactly(2));
    }

    @Test
    void aStorageThatHungOnceIsNoReasonLater() {
        report(0, 0);
        report(1, 1000);
        board.hangs(1);
        passTime(30);
        report(2, 300);
        passTime(60);

        assertThat(cluster.controlPlane().failure())
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.ranks()).containsExactly(2));
    }

    @Test
    void aHangingRootEndsTheJob() {
        report(0, 0);
        report(1, 400);
        report(2, 300);
        board.hangs(0);
        board.hangs(2);
        passTime(60);

        assertThat(cluster.controlPlane().failure())
                .isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.SOURCE);
                    assertThat(failure.ranks()).containsExactly(0, 2);
                })
                .hasMessage(
                        "nothing has moved for 60 s during 'multicast 4'; reading or writing hangs at 2 of 3 nodes, the"
                                + " first is node A-0 (rank 0, host here, pid 1): look at its disk or file server");
    }

    @Test
    void theLastWordIsTheEnd() throws InterruptedException {
        report(1, 400);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        List<Long> heard = Collections.synchronizedList(new ArrayList<>());
        board.listen(progress -> {
            told.countDown();
            try {
                ending.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            heard.add(progress.bytesDone());
        });
        Thread ticking = new Thread(board::tick);
        ticking.start();
        told.await();
        board.end(PHASE);
        Thread end = new Thread(board::tell);
        end.start();
        // either waits until the listener has been told of what was before, or, wrongly, tells it beside that
        while (end.getState() == Thread.State.NEW || end.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        ending.countDown();
        ticking.join();
        end.join();

        assertThat(heard).containsExactly(400L, 2000L);
    }

    @Test
    void whatHasEndedIsForgottenOnceSomebodyListensForWhatComesNext() {
        report(1, 1000);
        report(2, 400);
        board.listen(progress -> {});
        assertThat(board.bytesDone(2)).as("while it runs").isEqualTo(400);
        board.end(PHASE);
        assertThat(board.bytesDone(2)).as("until then").isEqualTo(1000);

        board.listen(progress -> {});

        assertThat(board.bytesDone(1)).isZero();
        assertThat(board.bytesDone(2)).isZero();
    }

    @Test
    void whileAnythingMovesNobodyIsBlamed() {
        report(0, 0);
        report(1, 0);
        for (int bytes = 0; bytes < 1000; bytes++) {
            report(2, bytes);
            passTime(59);
        }

        assertThat(cluster.controlPlane().failure()).isNull();
    }

    @Test
    void sayingTheSameAgainIsNoMovement() {
        for (int i = 0; i < 61; i++) {
            report(0, 0);
            report(1, 7);
            report(2, 7);
            passTime(1);
        }

        assertThat(cluster.controlPlane().failure()).isNotNull();
    }

    @Test
    void whoHasNotBegunMayTakeItsTime() {
        report(0, 0);
        report(1, 0);
        cluster.context(2).controlPlane().report(new Progress("multicast 3", 10, 1000));
        passTime(1000);
        assertThat(cluster.controlPlane().failure()).isNull();

        report(2, 0);
        passTime(59);
        assertThat(cluster.controlPlane().failure()).isNull();
        passTime(1);
        assertThat(cluster.controlPlane().failure()).isNotNull();
    }

    @Test
    void aMulticastThatIsOverDoesNotStall() {
        List<JobProgress> told = new ArrayList<>();
        board.listen(told::add);
        report(0, 0);
        report(1, 1000);
        report(2, 1000);
        board.end(PHASE);
        board.tell();
        passTime(1000);

        assertThat(cluster.controlPlane().failure()).isNull();
        assertThat(told).contains(new JobProgress(2000, 2000, 2, 2, List.of()));
    }

    @Test
    void whenAllReceiversAreLostTheLastWordIsHowFarTheyCame() {
        List<JobProgress> told = new ArrayList<>();
        board.listen(told::add);
        report(1, 400);
        board.lose(1);
        board.tick();
        board.lose(2);
        board.tick();
        board.end(PHASE);
        board.tell();

        assertThat(told).last().extracting(JobProgress::bytesTotal).isEqualTo(1000L);
    }

    @Test
    void afterWaitingForJoinersThereIsTimeToEnd() {
        report(0, 0);
        report(1, 1000);
        report(2, 1000);
        cluster.controlPlane().waitForJoiners(true);
        passTime(70);
        cluster.controlPlane().waitForJoiners(false);
        passTime(59);
        assertThat(cluster.controlPlane().failure()).isNull();
        passTime(1);
        assertThat(cluster.controlPlane().failure()).isNotNull().hasMessageContaining("all nodes have everything");
    }

    @Test
    void theLimitIsTheJobs() {
        cluster.limitStalls(Duration.ofMillis(1500));
        ProgressBoard impatient = new ProgressBoard(cluster.context(0), nowNanos::get);
        impatient.begin(PHASE, 1000, 0);
        report(0, 0);
        report(1, 0);
        report(2, 0);
        nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1499));
        impatient.tick();
        assertThat(cluster.controlPlane().failure()).isNull();
        nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        impatient.tick();
        impatient.end(PHASE);

        assertThat(cluster.controlPlane().failure()).hasMessageContaining("nothing has moved for 1.5 s");
    }

    private void onlyRankTwoIsLate() {
        report(0, 0);
        report(1, 1000);
        report(2, 400);
    }

    private void report(int rank, long bytes) {
        cluster.context(rank).controlPlane().report(new Progress(PHASE, bytes, 1000));
    }

    private void passTime(long seconds) {
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        board.tick();
    }
}
