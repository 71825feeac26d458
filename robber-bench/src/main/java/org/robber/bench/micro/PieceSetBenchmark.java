package org.robber.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/**
 * Set operations on the pieces of a gigabyte in pieces of 512 KiB, 8 KiB and 1 KiB.
 *
 * <p>Each call takes the next of many pairs of sets, so that no branch predictor learns one by heart.
 *
 * <pre>{@code robber-bench/bin/jmh PieceSetBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PieceSetBenchmark {
    private static final int PAIRS = 16;
    private static final long SEED = 20_131;

    /** Number of pieces. */
    @Param({"2048", "131072", "1048576"})
    public int pieces;

    private final PieceSet[] lacking = new PieceSet[PAIRS];
    private final PieceSet[] offered = new PieceSet[PAIRS];
    private final PieceSet[] nearlyDone = new PieceSet[PAIRS];
    private final SeededRandom random = new SeededRandom(SEED);
    private int next;

    /** Draws the sets. */
    @Setup
    public void draw() {
        for (int i = 0; i < PAIRS; i++) {
            lacking[i] = PieceSets.halfway(pieces, 0.1 + 0.8 * random.nextDouble(), random);
            offered[i] = PieceSets.halfway(pieces, 0.1 + 0.8 * random.nextDouble(), random);
            nearlyDone[i] = PieceSet.empty(pieces);
            for (int piece = 0; piece < 3; piece++) {
                nearlyDone[i].add(random.nextInt(pieces));
            }
        }
    }

    private int pair() {
        next = (next + 1) % PAIRS;
        return next;
    }

    /** The lacking pieces of an offer, as a new set. */
    @Benchmark
    public PieceSet and() {
        int pair = pair();
        return lacking[pair].and(offered[pair]);
    }

    /** The lacking pieces that are not on offer, as a new set. */
    @Benchmark
    public PieceSet andNot() {
        int pair = pair();
        return lacking[pair].andNot(offered[pair]);
    }

    /** The first of a few pieces, far apart. */
    @Benchmark
    public int first() {
        return nearlyDone[pair()].first();
    }

    /** Any piece that is lacking and on offer: the pick before each request. */
    @Benchmark
    public int randomCommon() {
        int pair = pair();
        return lacking[pair].randomCommon(offered[pair], random);
    }

    /** The pick near the end of a multicast, when almost nothing is lacking. */
    @Benchmark
    public int randomCommonNearlyDone() {
        int pair = pair();
        return nearlyDone[pair].randomCommon(offered[pair], random);
    }
}
