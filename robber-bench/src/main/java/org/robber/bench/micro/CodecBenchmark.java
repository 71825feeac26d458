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
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.MessageCodec;

/**
 * Messages to bytes and back, through a direct buffer as drivers use. The counter {@code wireBytes} is the throughput in
 * bytes per second; a piece counts without its block, which no codec touches.
 *
 * <pre>{@code robber-bench/bin/jmh CodecBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private static final int PIECES = 131_072;
    private static final int PIECE_BYTES = 1 << 16;
    private static final int DIGEST_BYTES = 16;
    private static final int VARIANTS = 16;

    /** The content of the messages. */
    public enum Kind {
        /** A set of few runs, which travels as ranges. */
        DESIRE_RANGES,
        /** A set of many single pieces, which travels as a bitmap. */
        DESIRE_BITMAP,
        /** A set of many single pieces, which travels as a bitmap. */
        BITFIELD_BITMAP,
        /** Half of the work that a mate has left. */
        WORK_RANGES,
        HAVE,
        REQUEST,
        REJECT,
        CANCEL,
        PIECE,
        STEAL,
        FOUND_WORK,
        DONE,
        STOP,
        BEGIN,
        KEEP_ALIVE,
        ABORT,
        CHOKE
    }

    /** The content of the messages. */
    @Param
    public Kind kind = Kind.HAVE;

    private final MessageCodec codec =
            new MessageCodec(new PieceLayout((long) PIECES * PIECE_BYTES, PIECE_BYTES), DIGEST_BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(1 << 18);
    private final Message[] messages = new Message[VARIANTS];
    private final ByteBuffer[] payloads = new ByteBuffer[VARIANTS];
    private int next;

    /** Bytes per second. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Bytes {
        /** Bytes of frames so far. */
        public long wireBytes;
    }

    /** Draws the messages. */
    @Setup
    public void draw() {
        SeededRandom random = new SeededRandom(PIECES);
        for (int i = 0; i < VARIANTS; i++) {
            messages[i] = draw(random);
            int blockBytes = messages[i] instanceof Message.PieceBlock block ? block.lengthBytes() : 0;
            payloads[i] = ByteBuffer.allocateDirect(codec.encodedBytes(messages[i]) + blockBytes);
            codec.encode(messages[i], payloads[i]);
            payloads[i].clear().position(FrameHead.BYTES);
            payloads[i] = payloads[i].slice();
        }
    }

    private Message draw(SeededRandom random) {
        int piece = random.nextInt(PIECES);
        return switch (kind) {
            case DESIRE_RANGES -> new Message.Desire(PieceSets.runs(PIECES, 12, random));
            case DESIRE_BITMAP -> new Message.Desire(PieceSets.halfway(PIECES, 0.5, random));
            case BITFIELD_BITMAP -> new Message.Bitfield(PieceSets.halfway(PIECES, 0.5, random));
            case WORK_RANGES -> new Message.Work(PieceSets.runs(PIECES, 12, random));
            case HAVE -> new Message.Have(piece);
            case REQUEST -> new Message.Request(piece);
            case REJECT -> new Message.Reject(piece);
            case CANCEL -> new Message.Cancel(piece);
            case PIECE -> new Message.PieceBlock(piece, 0, PIECE_BYTES, 3, digest(random));
            case STEAL -> new Message.Steal(piece, 0);
            case FOUND_WORK -> new Message.FoundWork();
            case DONE -> new Message.Done();
            case STOP -> new Message.Stop();
            case BEGIN -> new Message.Begin(piece, 0, (long) PIECES * PIECE_BYTES, PIECE_BYTES, "robber", "xxh3-128");
            case KEEP_ALIVE -> new Message.KeepAlive();
            case CHOKE -> new Message.Choke();
            case ABORT -> new Message.Abort(5, "the connection to B-" + piece + " was lost");
        };
    }

    private static byte[] digest(SeededRandom random) {
        return ByteBuffer.allocate(DIGEST_BYTES)
                .putLong(random.nextLong())
                .putLong(random.nextLong())
                .array();
    }

    /** A message to bytes. */
    @Benchmark
    public ByteBuffer encode(Bytes counter) {
        next = (next + 1) % VARIANTS;
        target.clear();
        codec.encode(messages[next], target);
        counter.wireBytes += target.position();
        return target;
    }

    /** Bytes to a message. */
    @Benchmark
    public Message decode(Bytes counter) {
        next = (next + 1) % VARIANTS;
        payloads[next].clear();
        Message message = codec.decode(messages[next].type().code(), payloads[next]);
        counter.wireBytes += FrameHead.BYTES + payloads[next].position();
        return message;
    }
}
