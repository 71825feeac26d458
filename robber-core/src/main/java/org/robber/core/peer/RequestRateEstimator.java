package org.robber.core.peer;

/**
 * What a peer's answers say of the line to it: how long an answer takes at best, how fast answers follow one another, and how
 * many are on their way. From these follows how many requests keep the line busy, and no more: what is asked beyond that
 * waits at the peer, cannot be asked of anybody else, and when the line slows down, or the end is near, everybody waits for it.
 *
 * <p>While too few requests are outstanding, answers come at the distance that the requests leave, and the number grows
 * with every round; once the line is full, they come at the distance that the line leaves, and the number stays. So it
 * finds a line's capacity from below and follows it when it changes, as TCP Vegas does (Brakmo and Peterson, IEEE JSAC
 * 13(8), 1995).
 */
public final class RequestRateEstimator {
    /** Means are of about so many answers: they come in bursts, so fewer would follow mere noise. */
    private static final int SMOOTHING = 16;

    /** Work that waits at the peer beyond what the line needs. It bridges the time in which requests wait for a processor. */
    private static final long SLACK_NANOS = 150_000_000;

    /**
     * On lines whose answers take no time, nothing takes long, or everybody waits for a processor, and larger windows would only take
     * it away from lines that need little of it and carry more.
     */
    private static final int SLACK_PER_ANSWER = 2;

    /** A transfer may be short: what waits for the line is no more than this part of the time since the first request. */
    private static final int AGE_PER_SLACK = 16;

    /**
     * Lines that bring a piece at least that often have one request or two waiting at the peer, if the peer says how many do, however
     * long the requests are under way: they wait behind the pieces that go the other way over the same connection, for longer than the
     * slack where that direction is full. Answers then come at the distance that the requests leave, and the distance asks for
     * no more requests: of two directions, one stayed at half of what it could carry for as long as the other was full.
     * On slower lines a piece takes longer than all that, and one that waits there is one too many at the end.
     */
    private static final double BRISK_DISTANCE_NANOS = 100_000_000;

    /**
     * Nor does it help on lines that carry less: a cluster has many of them where pieces are small, and the more requests
     * wait at the peers of all its members, the more often another cluster asks for the same pieces at the same time.
     */
    private static final double BRISK_BYTES_PER_SECOND = 640 * 1024;

    private static final double MOST_WAITING = 2;

    /** More than a round trip between most places takes; {@code docs/explanation/algorithm.md} compares others. */
    private static final double SLUGGISH_DISTANCE_NANOS = 250_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final double briskDistanceNanos;
    private long shortestAnswerNanos = Long.MAX_VALUE;
    private long lastAnswerNanos = Long.MIN_VALUE;
    private double distanceNanos;
    private double answerNanos;
    private long answers;
    private double onTheWay;
    private long begun;
    private long firstAskedNanos;

    /** Of a line over which nothing came yet; all pieces but the last are that long. */
    RequestRateEstimator(int pieceBytes) {
        briskDistanceNanos = Math.min(BRISK_DISTANCE_NANOS, pieceBytes / BRISK_BYTES_PER_SECOND * NANOS_PER_SECOND);
    }

    /** Notes that a piece begins to come, while so many are on their way: as requests or as pieces, this one among them. */
    void begun(int nowOnTheWay) {
        onTheWay += (nowOnTheWay - onTheWay) / Math.min(++begun, SMOOTHING);
    }

    /** Notes the answer to a request made at {@code askedNanos}. */
    void answered(long askedNanos, long nowNanos) {
        shortestAnswerNanos = Math.min(shortestAnswerNanos, nowNanos - askedNanos);
        // A line that had nothing to do says nothing by having been silent.
        long distance = nowNanos - Math.max(askedNanos, lastAnswerNanos);
        if (answers++ == 0) {
            firstAskedNanos = askedNanos;
        }
        distanceNanos += (distance - distanceNanos) / Math.min(answers, SMOOTHING);
        answerNanos += (nowNanos - askedNanos - answerNanos) / Math.min(answers, SMOOTHING);
        lastAnswerNanos = nowNanos;
    }

    /** Whether answers come so far apart that a round trip between them hardly counts. */
    boolean isSluggish() {
        return distanceNanos >= SLUGGISH_DISTANCE_NANOS;
    }

    /** How long the last answers took, on average; 0 before the first. */
    long answerNanos() {
        return (long) answerNanos;
    }

    /**
     * How many requests keep the line busy. Rounded down: as long as there is a second request, a slow line that is short of a
     * part of one loses nothing. Called after the first answer.
     */
    double requests() {
        double distance = Math.max(1.0, distanceNanos);
        long affordableNanos = (lastAnswerNanos - firstAskedNanos) / AGE_PER_SLACK;
        long slackNanos = Math.min(Math.min(SLACK_NANOS, SLACK_PER_ANSWER * shortestAnswerNanos), affordableNanos);
        double covering = Math.floor((shortestAnswerNanos + slackNanos) / distance);
        if (distance >= briskDistanceNanos) {
            return covering;
        }
        double waiting = Math.max(1, Math.min(MOST_WAITING, affordableNanos / distance));
        return Math.max(covering, Math.floor(onTheWay + waiting));
    }
}
