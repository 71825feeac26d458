package org.robber.bench.collectives;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Robber;

/**
 * A node of {@code robber-bench/bin/collectives}: times the calls of the variable {@code COLLECTIVES_CASES}, and checks what they bring. Rank 0 writes
 * a line for each to the file {@code COLLECTIVES_RESULTS}: call, bytes, and the least, the median and the greatest time in microseconds. The time of
 * a block is that of its slowest node.
 */
public final class CollectiveNode {
    private final Communicator world;
    private final List<String> lines = new ArrayList<>();

    private CollectiveNode(Communicator world) {
        this.world = world;
    }

    /** Runs all cases. Lines of JSON on standard output tell {@code robber-cli emulate} that the node works. */
    public static void main(String[] args) throws IOException {
        try (Robber robber = Robber.fromEnvironment()) {
            Communicator world = robber.world();
            world.barrier();
            if (world.rank() == 0) {
                System.out.println("{\"schema\":1,\"type\":\"started\"}");
            }
            long begin = System.nanoTime();
            List<String> lines = run(world, variable("COLLECTIVES_CASES"));
            System.out.printf(
                    Locale.ROOT,
                    "{\"schema\":1,\"type\":\"done\",\"rank\":%d,\"seconds\":%.6f}%n",
                    world.rank(),
                    (System.nanoTime() - begin) / 1e9);
            if (world.rank() == 0) {
                Files.write(Path.of(variable("COLLECTIVES_RESULTS")), lines);
            }
        }
    }

    /** Times the cases; returns a line for each. */
    static List<String> run(Communicator world, String cases) {
        CollectiveNode node = new CollectiveNode(world);
        CollectiveCase.parse(cases).forEach(node::time);
        return node.lines;
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is not set");
        }
        return value;
    }

    private void time(CollectiveCase timed) {
        if (timed.call().equals("stream")) {
            lines.add(StreamCase.time(world, timed));
            return;
        }
        Call call = call(timed);
        // Connections and code are warm after that.
        call.run();
        double[] micros = new double[timed.blocks()];
        for (int block = 0; block < micros.length; block++) {
            world.barrier();
            long begin = System.nanoTime();
            for (int i = 0; i < timed.callsPerBlock(); i++) {
                call.run();
            }
            double[] own = {(System.nanoTime() - begin) / 1e3 / timed.callsPerBlock()};
            world.allReduce(own, Op.MAX);
            micros[block] = own[0];
        }
        Arrays.sort(micros);
        lines.add(String.format(
                Locale.ROOT,
                "%s %d %.1f %.1f %.1f",
                timed.call(),
                timed.bytes(),
                micros[0],
                micros[micros.length / 2],
                micros[micros.length - 1]));
    }

    private interface Call {
        void run();
    }

    private static ByteBuffer buffer(int bytes, int value) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, (byte) (value + i));
        }
        return buffer;
    }

    private static DoubleBuffer vector(int bytes, double value) {
        DoubleBuffer vector =
                ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        for (int i = 0; i < vector.capacity(); i++) {
            vector.put(i, value);
        }
        return vector;
    }

    private Call call(CollectiveCase timed) {
        int size = world.size();
        int rank = world.rank();
        int bytes = Math.toIntExact(timed.bytes());
        ByteBuffer part = buffer(bytes / size, rank);
        return switch (timed.call()) {
            case "barrier" -> world::barrier;
            case "bcast" -> {
                ByteBuffer data = buffer(bytes, rank);
                yield () -> {
                    world.bcast(data, 0);
                    check(timed, data.get(bytes - 1) == (byte) (bytes - 1));
                };
            }
            case "allGather" -> {
                ByteBuffer all = ByteBuffer.allocateDirect(part.capacity() * size);
                yield () -> {
                    world.allGather(part, all);
                    checkGathered(timed, all);
                };
            }
            case "gather" -> {
                ByteBuffer all = rank == 0 ? ByteBuffer.allocateDirect(part.capacity() * size) : null;
                yield () -> {
                    world.gather(part, all, 0);
                    if (all != null) {
                        checkGathered(timed, all);
                    }
                };
            }
            case "scatter" -> {
                ByteBuffer all = rank == 0 ? buffer(part.capacity() * size, 0) : null;
                yield () -> {
                    world.scatter(all, part, 0);
                    check(timed, part.get(0) == (byte) (rank * part.capacity()));
                };
            }
            case "allToAll" -> {
                int pair = part.capacity() / size;
                ByteBuffer in = ByteBuffer.allocateDirect(pair * size);
                ByteBuffer out = part.limit(pair * size).slice();
                yield () -> {
                    world.allToAll(out, in);
                    for (int from = 0; from < size; from++) {
                        check(timed, in.get(from * pair) == (byte) (from + rank * pair));
                    }
                };
            }
            case "reduce" -> {
                DoubleBuffer in = vector(bytes, rank + 1);
                DoubleBuffer out = vector(bytes, 0);
                yield () -> {
                    world.reduce(in, out, Op.SUM, 0);
                    check(timed, rank > 0 || out.get(out.capacity() - 1) == sum());
                };
            }
            case "allReduce" -> {
                DoubleBuffer in = vector(bytes, rank + 1);
                DoubleBuffer out = vector(bytes, 0);
                yield () -> {
                    world.allReduce(in, out, Op.SUM);
                    check(timed, out.get(out.capacity() - 1) == sum());
                };
            }
            case "scan" -> {
                DoubleBuffer in = vector(bytes, rank + 1);
                DoubleBuffer out = vector(bytes, 0);
                yield () -> {
                    world.scan(in, out, Op.SUM);
                    check(timed, out.get(out.capacity() - 1) == sumUpTo(rank));
                };
            }
            case "exScan" -> {
                DoubleBuffer in = vector(bytes, rank + 1);
                DoubleBuffer out = vector(bytes, 0);
                yield () -> {
                    world.exScan(in, out, Op.SUM);
                    check(timed, rank == 0 || out.get(out.capacity() - 1) == sumUpTo(rank - 1));
                };
            }
            case "reduceScatter" -> {
                int count = bytes / Double.BYTES / size;
                DoubleBuffer in = vector(count * size * Double.BYTES, rank + 1);
                DoubleBuffer out = vector(count * Double.BYTES, 0);
                yield () -> {
                    world.reduceScatter(in, out, Op.SUM);
                    check(timed, out.get(count - 1) == sum());
                };
            }
            default -> throw new IllegalArgumentException("no such call: " + timed.call());
        };
    }

    private double sum() {
        return sumUpTo(world.size() - 1);
    }

    /** Each rank brings its number plus one. */
    private static double sumUpTo(int rank) {
        return (rank + 1) * (rank + 2) / 2.0;
    }

    private void checkGathered(CollectiveCase timed, ByteBuffer all) {
        int part = all.capacity() / world.size();
        for (int from = 0; from < world.size(); from++) {
            check(timed, all.get(from * part) == (byte) from);
        }
    }

    private static void check(CollectiveCase timed, boolean right) {
        if (!right) {
            throw new IllegalStateException("wrong data from " + timed);
        }
    }
}
