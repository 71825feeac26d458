package org.robber.core.peer;

import org.robber.core.tuning.Tuning;

/**
 * Estimates how many requests keep the line to a peer busy. It measures the shortest time to an answer, the time between answers, and
 * the number of requests under way. More requests would only wait at the peer. No other peer can be asked for their pieces, so they
 * would delay the end when the line slows down.
 *
 * <p>While the line is not full, the requests determine the time between answers, and the estimate grows with every round. Once the
 * line is full, its rate determines that time, and the estimate stays. So it finds the capacity of a line from below and follows its
 * changes, as TCP Vegas does (Brakmo and Peterson, IEEE JSAC 13(8), 1995).
 */
public final class WindowEstimator {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double fastLineDistanceNanos;
    private final double notDoubled;
    private long shortestAnswerNanos = Long.MAX_VALUE;
    private long lastAnswerNanos = Long.MIN_VALUE;
    private double distanceNanos;
    private double answerNanos;
    private long answers;
    private double onTheWay;
    private double waiting;
    private long begun;
    private long firstAskedNanos;

    /** Of a line over which nothing came yet; all pieces but the last are that long. */
    WindowEstimator(int pieceBytes) {
        notDoubled = Tuning.BYTES_NOT_DOUBLED / pieceBytes;
        fastLineDistanceNanos = pieceBytes / Tuning.FAST_LINE_BYTES_PER_SECOND * NANOS_PER_SECOND;
    }

    /**
     * Notes that a piece begins to come.
     *
     * @param nowOnTheWay requests and pieces on their way, this one among them
     * @param nowWaiting requests that waited at the peer when it began to leave
     */
    void begun(int nowOnTheWay, int nowWaiting) {
        long pieces = Math.min(1 + ++begun / Tuning.BEGUN_PER_MEAN, Tuning.ANSWERS_PER_MEAN);
        onTheWay += (nowOnTheWay - onTheWay) / pieces;
        waiting += (nowWaiting - waiting) / pieces;
    }

    /** Notes the answer to a request made at {@code askedNanos}. */
    void answered(long askedNanos, long nowNanos) {
        shortestAnswerNanos = Math.min(shortestAnswerNanos, nowNanos - askedNanos);
        // The time without requests does not count.
        long distance = nowNanos - Math.max(askedNanos, lastAnswerNanos);
        if (answers++ == 0) {
            firstAskedNanos = askedNanos;
        }
        distanceNanos += (distance - distanceNanos) / Math.min(answers, Tuning.ANSWERS_PER_MEAN);
        answerNanos += (nowNanos - askedNanos - answerNanos) / Math.min(answers, Tuning.ANSWERS_PER_MEAN);
        lastAnswerNanos = nowNanos;
    }

    /** Whether answers come so far apart that a round trip between them hardly counts. */
    boolean isSlow() {
        return distanceNanos >= Tuning.SLOW_LINE_DISTANCE_NANOS;
    }

    /** Whether the last answers took so much longer than the shortest one that a request mostly waits for other pieces. */
    boolean isCrowded() {
        return answerNanos >= Tuning.ANSWERS_OF_CROWDED_LINE * shortestAnswerNanos;
    }

    /** How long the last answers took, on average; 0 before the first. */
    long answerNanos() {
        return (long) answerNanos;
    }

    /**
     * How many requests cover the shortest answer and a quarter more: so few that hardly any waits at the peer. 0 before the first answer.
     */
    double covering() {
        return answers == 0 ? 0 : Tuning.SHORTEST_ANSWERS_COVERED * shortestAnswerNanos / Math.max(1.0, distanceNanos);
    }

    /**
     * How many requests keep the line busy: floor((shortest answer + slack) / time between answers). On a fast line at least the
     * requests under way plus those that are to wait. Rounded down, because a second request covers the rest on a slow line. Called after
     * the first answer.
     */
    double window() {
        double distance = Math.max(1.0, distanceNanos);
        long affordableNanos = (lastAnswerNanos - firstAskedNanos) / Tuning.AGE_PER_SLACK;
        long slackNanos =
                Math.min(Math.min(Tuning.SLACK_NANOS, Tuning.SLACK_PER_ANSWER * shortestAnswerNanos), affordableNanos);
        double covering = Math.floor((shortestAnswerNanos + slackNanos) / distance);
        if (distance >= fastLineDistanceNanos) {
            return covering;
        }
        return Math.max(covering, Math.floor(onTheWay + wantedWaiting()));
    }

    /** How many requests are to wait at the peer of a fast line. If hardly any waits there, the requests hold the line back, and their number nearly doubles. */
    private double wantedWaiting() {
        return waiting < Tuning.HARDLY_ANY_WAITING
                ? Math.max(Tuning.WAITING_REQUESTS, onTheWay - notDoubled)
                : Tuning.WAITING_REQUESTS;
    }
}
