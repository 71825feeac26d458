package org.robber.bench.collectives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.Op;
import org.robber.bench.ProcessMeter;

/** A stream from rank 0 to all others, timed in its steady state: what came in the first seconds does not count. */
final class StreamCase {
    private static final long UNTIMED_NANOS = 5_000_000_000L;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final double MEBIBYTE = 1 << 20;

    private StreamCase() {}

    /**
     * Streams once.
     *
     * @return as lines of {@link CollectiveNode}: the time of the whole stream at the slowest reader, and in the place of median and greatest time what it would be
     *     at the rate after the first five seconds, if it lasts longer; and the most memory that a process has had
     */
    static String time(Communicator world, CollectiveCase timed) {
        world.barrier();
        long begin = System.nanoTime();
        long[] steady = {0, 0};
        try (MulticastStream stream = world.openStream(0)) {
            if (world.rank() == 0) {
                write(stream, timed.bytes());
            } else {
                steady = read(stream, timed.bytes(), begin);
            }
        }
        double whole = (System.nanoTime() - begin) / 1e3;
        double extrapolated = steady[0] == 0 ? whole : steady[1] / 1e3 * timed.bytes() / steady[0];
        double[] most = {whole, world.rank() == 0 ? 0 : extrapolated, peakMebibytes()};
        world.allReduce(most, Op.MAX);
        return String.format(
                Locale.ROOT,
                "%s %d %.1f %.1f %.1f %.1f",
                timed.call(),
                timed.bytes(),
                most[0],
                most[1],
                most[1],
                most[2]);
    }

    private static double peakMebibytes() {
        try {
            return ProcessMeter.peakResidentBytes() / MEBIBYTE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(MulticastStream stream, long bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (long rest = bytes; rest > 0; rest -= buffer.limit()) {
            buffer.clear().limit((int) Math.min(rest, BUFFER_BYTES)).put(0, mark(rest));
            stream.write(buffer);
        }
    }

    /** The first byte of each buffer that the writer hands over. */
    private static byte mark(long rest) {
        return (byte) (rest >> 20);
    }

    /** Compares the marks among bytes that were read with those of the writer. */
    static void check(ByteBuffer read, int length, long before, long bytes) {
        for (long at = (before + BUFFER_BYTES - 1) / BUFFER_BYTES * BUFFER_BYTES;
                at < before + length;
                at += BUFFER_BYTES) {
            if (read.get((int) (at - before)) != mark(bytes - at)) {
                throw new IllegalStateException("wrong data at byte " + at + " of a stream");
            }
        }
    }

    /** Reads all; returns how many bytes came after the first seconds, and in how many nanoseconds. */
    private static long[] read(MulticastStream stream, long bytes, long begin) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long got = 0;
        long timedFrom = -1;
        long timedSince = 0;
        while (true) {
            int more = stream.read(buffer.clear());
            if (more < 0) {
                break;
            }
            check(buffer, more, got, bytes);
            got += more;
            if (timedFrom < 0 && System.nanoTime() - begin > UNTIMED_NANOS) {
                timedFrom = got;
                timedSince = System.nanoTime();
            }
        }
        if (got != bytes) {
            throw new IllegalStateException(got + " bytes of a stream of " + bytes);
        }
        return timedFrom < 0 ? new long[] {0, 0} : new long[] {got - timedFrom, System.nanoTime() - timedSince};
    }
}
