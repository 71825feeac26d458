package org.robber.core.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

class WindowEstimatorTest {
    private static final long MILLI = 1_000_000;
    private static final int LARGEST_LIMIT = 64;
    private static final int PIECE_BYTES = 64 * 1024;

    /**
     * A line on which a piece takes so long, behind a delay there and back, with a queue that serves in order. Requests may
     * wait behind what goes the other way.
     */
    private static final class Line {
        final OutstandingRequests outstanding;
        private final long roundTripNanos;
        private long pieceNanos;
        private long requestWaitNanos;
        private long freeNanos;
        private int next;
        private int answered;
        private final ArrayDeque<Answer> answers = new ArrayDeque<>();

        private record Answer(long requestedNanos, long begunNanos, long arrivalNanos) {}

        Line(long roundTripNanos, long pieceNanos) {
            this(roundTripNanos, pieceNanos, PIECE_BYTES);
        }

        Line(long roundTripNanos, long pieceNanos, int pieceBytes) {
            this.outstanding = new OutstandingRequests(5, pieceBytes);
            this.roundTripNanos = roundTripNanos;
            this.pieceNanos = pieceNanos;
        }

        /** Asks whenever there is room, for so many answers; returns the share of time in which the line was busy. */
        double run(int answerCount, long startNanos) {
            long nowNanos = startNanos;
            long busyNanos = 0;
            for (int i = 0; i < answerCount; i++) {
                while (outstanding.hasRoom()) {
                    outstanding.add(next++, nowNanos);
                    long requestedNanos = nowNanos + requestWaitNanos + roundTripNanos / 2;
                    long begunNanos = Math.max(freeNanos, requestedNanos);
                    freeNanos = begunNanos + pieceNanos;
                    answers.add(new Answer(requestedNanos, begunNanos, freeNanos + roundTripNanos / 2));
                }
                Answer answer = answers.remove();
                nowNanos = answer.arrivalNanos;
                busyNanos += pieceNanos;
                outstanding.begun((int) answers.stream()
                        .filter(other -> other.requestedNanos <= answer.begunNanos)
                        .count());
                outstanding.adapt(answered, nowNanos, 2, LARGEST_LIMIT);
                outstanding.remove(answered++);
            }
            return (double) busyNanos / (nowNanos - startNanos);
        }
    }

    @Test
    void aFastLineWithALongDelayGetsMoreRequestsThanPublished() {
        Line line = new Line(100 * MILLI, 5 * MILLI);

        line.run(500, 0);
        assertThat(line.run(500, line.freeNanos))
                .as("busy, once its pace is known")
                .isGreaterThan(0.97);
        assertThat(line.outstanding.window()).as("(105 + 150 ms) / 5 ms").isBetween(50, 51);
    }

    @Test
    void requestsNearlyDoubleWhileHardlyAnyWaits() {
        assertThat(windowAfter(1, 0, 512 << 10))
                .as("16 on the way; 4 are 2 MiB")
                .isEqualTo(16 + 12);
        assertThat(windowAfter(8, 0, 512 << 10))
                .as("no more than any line needs")
                .isEqualTo(LARGEST_LIMIT);
        assertThat(windowAfter(1, 1, 512 << 10)).as("one waits").isEqualTo(15 + 2);
    }

    @Test
    void fewBytesOnTheWayAreNotDoubled() {
        assertThat(windowAfter(1, 0, PIECE_BYTES)).as("16 of 64 KiB").isEqualTo(16 + 2);
    }

    /** Of 16 requests, after so many answers, 10 ms from one to the next, while so many requests wait at the peer. */
    private static int windowAfter(int answers, int waiting, int pieceBytes) {
        OutstandingRequests outstanding = new OutstandingRequests(16, pieceBytes);
        int next = 0;
        for (int piece = 0; piece < answers; piece++) {
            while (outstanding.hasRoom()) {
                outstanding.add(next++, piece * 10L * MILLI);
            }
            outstanding.begun(waiting);
            outstanding.adapt(piece, (piece + 1) * 10L * MILLI, 2, LARGEST_LIMIT);
            outstanding.remove(piece);
        }
        return outstanding.window();
    }

    @Test
    void aFastLineOfLargePiecesHasTwoThatWait() {
        Line line = new Line(20 * MILLI, 300 * MILLI, 4 * PIECE_BYTES);

        line.run(100, 0);
        assertThat(line.outstanding.isSlow()).isTrue();
        assertThat(line.outstanding.window()).as("one on its way, and two").isEqualTo(3);
    }

    @Test
    void aSlowLineGetsTwo() {
        Line line = new Line(20 * MILLI, 400 * MILLI);

        assertThat(line.run(100, 0)).as("busy").isGreaterThan(0.99);
        assertThat(line.outstanding.window()).isEqualTo(2);
    }

    @Test
    void aLineIsCrowdedWhoseAnswersTakeTwoAndAHalfTimesTheShortest() {
        assertThat(new OutstandingRequests(5, PIECE_BYTES).isCrowded())
                .as("before an answer")
                .isFalse();
        assertThat(answeredAfter(30, 119).isCrowded()).isFalse();
        assertThat(answeredAfter(30, 120).isCrowded()).isTrue();
    }

    @Test
    void aQuarterMoreThanTheShortestAnswerIsCovered() {
        assertThat(new OutstandingRequests(5, PIECE_BYTES).covering())
                .as("before an answer")
                .isZero();
        Line line = new Line(100 * MILLI, 4 * MILLI);
        line.run(400, 0);
        // The shortest answer takes a round trip and the time of a piece.
        assertThat(line.outstanding.covering()).isCloseTo(1.25 * 104 / 4, within(0.01));
    }

    private static OutstandingRequests answeredAfter(long... millis) {
        OutstandingRequests outstanding = new OutstandingRequests(5, PIECE_BYTES);
        long nowNanos = 0;
        for (int piece = 0; piece < millis.length; piece++) {
            outstanding.add(piece, nowNanos);
            nowNanos += millis[piece] * MILLI;
            outstanding.adapt(piece, nowNanos, 2, LARGEST_LIMIT);
            outstanding.remove(piece);
        }
        return outstanding;
    }

    @Test
    void aLineThatBecomesSlowGetsFewer() {
        Line line = new Line(20 * MILLI, 10 * MILLI);
        line.run(200, 0);
        assertThat(line.outstanding.window()).as("(30 + 60 ms) / 10 ms").isBetween(8, 9);

        line.pieceNanos = 120 * MILLI;
        line.run(100, line.freeNanos);

        assertThat(line.outstanding.window())
                .as("(30 + 60 ms) / 120 ms, but 2 at least")
                .isEqualTo(2);
    }

    @Test
    void aLineWhoseRequestsWaitBehindPiecesThatGoTheOtherWayIsFoundToBeFast() {
        Line line = new Line(20 * MILLI, 40 * MILLI);
        line.run(200, 0);
        line.pieceNanos = 200 * MILLI;
        line.run(100, line.freeNanos);
        assertThat(line.outstanding.window()).as("while it is slow").isEqualTo(2);

        line.pieceNanos = 40 * MILLI;
        line.requestWaitNanos = 120 * MILLI;
        line.run(200, line.freeNanos);

        assertThat(line.run(200, line.freeNanos)).as("busy").isGreaterThan(0.95);
    }

    @Test
    void howeverLongRequestsAreUnderWayTwoWaitAtThePeer() {
        Line line = new Line(20 * MILLI, 40 * MILLI);
        line.requestWaitNanos = 600 * MILLI;
        line.run(300, 0);

        assertThat(line.run(200, line.freeNanos)).as("busy").isGreaterThan(0.95);
        assertThat(line.outstanding.window())
                .as("660 ms / 40 ms are on their way, and two wait")
                .isBetween(18, 20);
    }

    @Test
    void onALineThatBringsSmallPiecesNotMuchFasterNoneWaitsAtThePeer() {
        assertThat(windowWithRequestsThatWait(64 * 1024)).isGreaterThan(2);
        assertThat(windowWithRequestsThatWait(32 * 1024))
                .as("11 pieces a second, 364 KB/s")
                .isEqualTo(2);
    }

    /** After it had been slow: two requests are under way for 180 ms. */
    private static int windowWithRequestsThatWait(int pieceBytes) {
        Line line = new Line(20 * MILLI, 80 * MILLI, pieceBytes);
        line.run(100, 0);
        line.pieceNanos = 400 * MILLI;
        line.run(100, line.freeNanos);

        line.pieceNanos = 80 * MILLI;
        line.requestWaitNanos = 80 * MILLI;
        line.run(200, line.freeNanos);

        return line.outstanding.window();
    }

    @Test
    void aLineThatHadNothingToDoIsNotTakenForSlow() {
        OutstandingRequests outstanding = new OutstandingRequests(5, PIECE_BYTES);
        long nowNanos = 0;
        for (int piece = 0; piece < 100; piece++) {
            outstanding.add(piece, nowNanos);
            nowNanos += 10 * MILLI;
            outstanding.adapt(piece, nowNanos, 2, LARGEST_LIMIT);
            outstanding.remove(piece);
            nowNanos += 5_000 * MILLI;
        }

        assertThat(outstanding.window()).as("(10 + 20 ms) / 10 ms").isEqualTo(3);
    }

    @Test
    void noLineGetsMoreThanTheLargestLimit() {
        Line line = new Line(MILLI, 10);
        line.run(10_000, 0);

        assertThat(line.outstanding.window()).isEqualTo(LARGEST_LIMIT);
    }
}
