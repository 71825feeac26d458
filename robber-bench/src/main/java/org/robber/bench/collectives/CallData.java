package org.robber.bench.collectives;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.Op;

/** Makes the calls of cases, with their data. */
final class CallData {
    private final Communicator world;
    private final int size;
    private final int rank;
    private final CaseMemory memory = new CaseMemory();

    CallData(Communicator world) {
        this.world = world;
        this.size = world.size();
        this.rank = world.rank();
    }

    /** Takes the memory of earlier calls back. */
    void reuse() {
        memory.reuse();
    }

    /** A multicast of rank 0. */
    CheckedCall multicast(CollectiveCase timed, MulticastChannel channel) {
        ByteBuffer data = dataOfRoot(Math.toIntExact(timed.bytes()));
        return checked(
                timed,
                () -> {
                    channel.multicast(data, 0);
                    channel.flush();
                },
                resultOfBcast(data));
    }

    /** Every other call. */
    CheckedCall call(CollectiveCase timed) {
        int bytes = Math.toIntExact(timed.bytes());
        checkArgument(
                bytes == 0 || bytes >= timed.leastBytes(size),
                "%s of %s bytes among %s nodes: at least %s are needed",
                timed.call(),
                bytes,
                size,
                timed.leastBytes(size));
        int part = bytes / size;
        return switch (timed.call()) {
            case "barrier" -> CheckedCall.unchecked(world::barrier);
            case "bcast" -> {
                ByteBuffer data = dataOfRoot(bytes);
                yield checked(timed, () -> world.bcast(data, 0), resultOfBcast(data));
            }
            case "allGather" -> {
                ByteBuffer own = filled(part, 0);
                ByteBuffer all = memory.take(part * size);
                yield checked(timed, () -> world.allGather(own, all), new CheckedParts(all, size, 0));
            }
            case "gather" -> {
                ByteBuffer own = filled(part, 0);
                ByteBuffer all = rank == 0 ? memory.take(part * size) : null;
                yield checked(
                        timed,
                        () -> world.gather(own, all, 0),
                        all == null ? CheckedParts.NONE : new CheckedParts(all, size, 0));
            }
            case "scatter" -> {
                ByteBuffer all = rank == 0 ? filledForAll(part) : null;
                ByteBuffer own = memory.take(part);
                yield checked(timed, () -> world.scatter(all, own, 0), new CheckedParts(own, 1, rank));
            }
            case "allToAll" -> {
                ByteBuffer out = filledForAll(part / size);
                ByteBuffer in = memory.take(part / size * size);
                yield checked(timed, () -> world.allToAll(out, in), new CheckedParts(in, size, rank));
            }
            default -> reduction(timed, bytes);
        };
    }

    private CheckedCall reduction(CollectiveCase timed, int bytes) {
        int count = bytes / Double.BYTES;
        return switch (timed.call()) {
            case "reduce" -> {
                DoubleBuffer in = vector(count);
                DoubleBuffer out = vector(rank == 0 ? count : 0);
                yield checked(timed, () -> world.reduce(in, out, Op.SUM, 0), out, size);
            }
            case "allReduce" -> {
                DoubleBuffer in = vector(count);
                DoubleBuffer out = vector(count);
                yield checked(timed, () -> world.allReduce(in, out, Op.SUM), out, size);
            }
            case "reduceScatter" -> {
                DoubleBuffer in = vector(count / size * size);
                DoubleBuffer out = vector(count / size);
                yield checked(timed, () -> world.reduceScatter(in, out, Op.SUM), out, size);
            }
            case "scan" -> {
                DoubleBuffer in = vector(count);
                DoubleBuffer out = vector(count);
                yield checked(timed, () -> world.scan(in, out, Op.SUM), out, rank + 1);
            }
            case "exScan" -> {
                DoubleBuffer in = vector(count);
                DoubleBuffer out = vector(count);
                Runnable call = () -> world.exScan(in, out, Op.SUM);
                yield rank == 0 ? CheckedCall.unchecked(call) : checked(timed, call, out, rank);
            }
            default -> throw new IllegalArgumentException("no such call: " + timed.call());
        };
    }

    private static CheckedCall checked(CollectiveCase timed, Runnable call, CheckedParts result) {
        return timed.bytes() == 0 ? CheckedCall.unchecked(call) : CheckedCall.of(call, result);
    }

    /** A call that sums up the numbers of the first ranks, each of which brings its own plus one. */
    private static CheckedCall checked(CollectiveCase timed, Runnable call, DoubleBuffer result, int ranks) {
        return timed.bytes() == 0 || result.capacity() == 0
                ? CheckedCall.unchecked(call)
                : CheckedCall.of(call, result, ranks * (ranks + 1) / 2.0);
    }

    private ByteBuffer dataOfRoot(int bytes) {
        return rank == 0 ? filled(bytes, 0) : memory.take(bytes);
    }

    private CheckedParts resultOfBcast(ByteBuffer data) {
        return rank == 0 ? CheckedParts.NONE : new CheckedParts(data, 1, 0);
    }

    /** The part of this rank for another. */
    private ByteBuffer filled(int bytes, int forRank) {
        ByteBuffer part = memory.take(bytes);
        CheckedParts.fill(part, rank, forRank);
        return part;
    }

    /** The parts of this rank for all. */
    private ByteBuffer filledForAll(int part) {
        ByteBuffer all = memory.take(part * size);
        for (int other = 0; other < size; other++) {
            CheckedParts.fill(all.slice(other * part, part), rank, other);
        }
        return all;
    }

    private DoubleBuffer vector(int count) {
        DoubleBuffer vector =
                memory.take(count * Double.BYTES).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        for (int i = 0; i < count; i++) {
            vector.put(i, rank + 1);
        }
        return vector;
    }
}
