package org.robber.bench.micro;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.robber.core.random.SeededRandom;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;

/**
 * Digests of pieces. The counter {@code hashedBytes} is the throughput in bytes per second.
 *
 * <pre>{@code robber-bench/bin/jmh HashBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HashBenchmark {
    private static final int BUFFERS = 4;

    /** Name of the digest. */
    @Param({"crc32-pair", "xxh3-128", "sha256"})
    public String digest = "";

    /** Size of a piece: the smallest and the largest automatic one, and one between. */
    @Param({"32768", "262144", "4194304"})
    public int pieceBytes;

    /** Kind of memory: pieces on their way are in direct buffers, callers' arrays are not. */
    @Param({"direct", "heap"})
    public String memory = "";

    private final ByteBuffer[] pieces = new ByteBuffer[BUFFERS];
    private PieceHasher hasher = PieceHashers.named("crc32-pair");
    private int next;

    /** Bytes per second. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Bytes {
        /** Bytes hashed so far. */
        public long hashedBytes;
    }

    /** Fills the pieces. */
    @Setup
    public void fill() {
        hasher = PieceHashers.named(digest);
        SeededRandom random = new SeededRandom(pieceBytes);
        for (int i = 0; i < BUFFERS; i++) {
            pieces[i] =
                    memory.equals("direct") ? ByteBuffer.allocateDirect(pieceBytes) : ByteBuffer.allocate(pieceBytes);
            while (pieces[i].hasRemaining()) {
                pieces[i].putLong(random.nextLong());
            }
            pieces[i].flip();
        }
    }

    /** The digest of one piece. */
    @Benchmark
    public byte[] hash(Bytes counter) {
        next = (next + 1) % BUFFERS;
        counter.hashedBytes += pieceBytes;
        return hasher.hash(pieces[next]);
    }
}
