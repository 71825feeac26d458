package org.robber.bench.collectives;

import static com.google.common.base.Preconditions.checkArgument;

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
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.Op;
import org.robber.Robber;

/**
 * A node of {@code robber-bench/bin/collectives}: times the calls of the variable {@code COLLECTIVES_CASES} with the strategy {@code COLLECTIVES_STRATEGY},
 * and checks what they bring. Rank 0 writes a line for each to the file {@code COLLECTIVES_RESULTS}: call, bytes, and the least, the median and the
 * greatest time in microseconds. The time of a block is that of its slowest node. Calls of a case go on for {@code COLLECTIVES_WARM_UP} seconds before
 * one is timed.
 */
public final class CollectiveNode {
    private final Communicator job;
    private final ChannelOptions options;
    private final Communicator world;
    private final double warmUpSeconds;
    private final List<String> lines = new ArrayList<>();
    private final CaseMemory memory = new CaseMemory();

    private CollectiveNode(Communicator job, ChannelOptions options, double warmUpSeconds) {
        this.job = job;
        this.options = options;
        this.world = job.withOptions(options);
        this.warmUpSeconds = warmUpSeconds;
    }

    /** Runs all cases. Lines of JSON on standard output tell {@code robber-cli emulate} that the node works. */
    public static void main(String[] args) throws IOException {
        try (Robber robber = Robber.fromEnvironment()) {
            Communicator job = robber.world();
            job.barrier();
            if (job.rank() == 0) {
                System.out.println("{\"schema\":1,\"type\":\"started\"}");
            }
            long begin = System.nanoTime();
            List<String> lines = run(
                    job,
                    ChannelOptions.defaults().withStrategy(variable("COLLECTIVES_STRATEGY")),
                    variable("COLLECTIVES_CASES"),
                    Double.parseDouble(variable("COLLECTIVES_WARM_UP")));
            System.out.printf(
                    Locale.ROOT,
                    "{\"schema\":1,\"type\":\"done\",\"rank\":%d,\"seconds\":%.6f}%n",
                    job.rank(),
                    (System.nanoTime() - begin) / 1e9);
            if (job.rank() == 0) {
                Files.write(Path.of(variable("COLLECTIVES_RESULTS")), lines);
            }
        }
    }

    /**
     * Times the cases; returns a line for each.
     *
     * @param job all nodes of the job
     */
    static List<String> run(Communicator job, ChannelOptions options, String cases, double warmUpSeconds) {
        CollectiveNode node = new CollectiveNode(job, options, warmUpSeconds);
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
        memory.reuse();
        if (timed.call().equals("multicast")) {
            try (MulticastChannel channel = job.multicastChannel(options)) {
                time(timed, multicast(timed, channel));
            }
        } else {
            time(timed, call(timed));
        }
    }

    private void time(CollectiveCase timed, Call call) {
        call.run();
        warmUp(call, timed.callsPerBlock());
        double[] micros = new double[timed.blocks()];
        for (int block = 0; block < micros.length; block++) {
            micros[block] = block(call, timed.callsPerBlock());
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

    /** The time of a call in a row of calls, in microseconds. */
    private double block(Call call, int calls) {
        world.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        double[] own = {(System.nanoTime() - begin) / 1e3 / calls};
        world.allReduce(own, Op.MAX);
        return own[0];
    }

    /** Rank 0 says when it is enough. */
    private void warmUp(Call call, int calls) {
        long end = System.nanoTime() + (long) (warmUpSeconds * 1e9);
        double[] more = {0};
        do {
            more[0] = world.rank() == 0 && System.nanoTime() < end ? 1 : 0;
            world.allReduce(more, Op.MAX);
            if (more[0] > 0) {
                block(call, calls);
            }
        } while (more[0] > 0);
    }

    private interface Call {
        void run();
    }

    private ByteBuffer buffer(int bytes, int value) {
        ByteBuffer buffer = memory.take(bytes);
        for (int i = 0; i < bytes; i++) {
            buffer.put(i, (byte) (value + i));
        }
        return buffer;
    }

    private DoubleBuffer vector(int bytes, double value) {
        DoubleBuffer vector = memory.take(bytes).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        for (int i = 0; i < vector.capacity(); i++) {
            vector.put(i, value);
        }
        return vector;
    }

    private Call multicast(CollectiveCase timed, MulticastChannel channel) {
        int bytes = Math.toIntExact(timed.bytes());
        ByteBuffer data = buffer(bytes, world.rank());
        return checked(
                timed,
                () -> {
                    channel.multicast(data, 0);
                    channel.flush();
                },
                () -> data.get(bytes - 1) == (byte) (bytes - 1));
    }

    private Call call(CollectiveCase timed) {
        int size = world.size();
        int rank = world.rank();
        int bytes = Math.toIntExact(timed.bytes());
        checkArgument(
                bytes == 0 || bytes >= timed.leastBytes(size),
                "%s of %s bytes among %s nodes: at least %s are needed",
                timed.call(),
                bytes,
                size,
                timed.leastBytes(size));
        ByteBuffer part = buffer(bytes / size, rank);
        return switch (timed.call()) {
            case "barrier" -> world::barrier;
            case "bcast" -> {
                ByteBuffer data = buffer(bytes, rank);
                yield checked(timed, () -> world.bcast(data, 0), () -> data.get(bytes - 1) == (byte) (bytes - 1));
            }
            case "allGather" -> {
                ByteBuffer all = memory.take(part.capacity() * size);
                yield checked(timed, () -> world.allGather(part, all), () -> isGathered(all));
            }
            case "gather" -> {
                ByteBuffer all = rank == 0 ? memory.take(part.capacity() * size) : null;
                yield checked(timed, () -> world.gather(part, all, 0), () -> all == null || isGathered(all));
            }
            case "scatter" -> {
                ByteBuffer all = rank == 0 ? buffer(part.capacity() * size, 0) : null;
                yield checked(
                        timed, () -> world.scatter(all, part, 0), () -> part.get(0) == (byte) (rank * part.capacity()));
            }
            case "allToAll" -> {
                int pair = part.capacity() / size;
                ByteBuffer in = memory.take(pair * size);
                ByteBuffer out = part.limit(pair * size).slice();
                yield checked(
                        timed,
                        () -> world.allToAll(out, in),
                        () -> IntStream.range(0, size)
                                .allMatch(from -> in.get(from * pair) == (byte) (from + rank * pair)));
            }
            case "reduceScatter" -> {
                int count = bytes / Double.BYTES / size;
                DoubleBuffer in = vector(count * size * Double.BYTES, rank + 1);
                DoubleBuffer out = vector(count * Double.BYTES, 0);
                yield checked(
                        timed,
                        () -> world.reduceScatter(in, out, Op.SUM),
                        () -> out.get(count - 1) == sumUpTo(size - 1));
            }
            default -> reduction(timed, vector(bytes, rank + 1), vector(hasResult(timed, rank) ? bytes : 0, 0));
        };
    }

    private static boolean hasResult(CollectiveCase timed, int rank) {
        return rank == 0 || !timed.call().equals("reduce");
    }

    /** A call in which all have vectors of one length, and some get another. */
    private Call reduction(CollectiveCase timed, DoubleBuffer in, DoubleBuffer out) {
        int last = world.size() - 1;
        int rank = world.rank();
        return switch (timed.call()) {
            case "reduce" ->
                checked(timed, () -> world.reduce(in, out, Op.SUM, 0), () -> rank > 0 || endsWith(out, sumUpTo(last)));
            case "allReduce" ->
                checked(timed, () -> world.allReduce(in, out, Op.SUM), () -> endsWith(out, sumUpTo(last)));
            case "scan" -> checked(timed, () -> world.scan(in, out, Op.SUM), () -> endsWith(out, sumUpTo(rank)));
            case "exScan" ->
                checked(
                        timed,
                        () -> world.exScan(in, out, Op.SUM),
                        () -> rank == 0 || endsWith(out, sumUpTo(rank - 1)));
            default -> throw new IllegalArgumentException("no such call: " + timed.call());
        };
    }

    /** The call, and then a look at what it brought. Without data there is nothing to look at. */
    private static Call checked(CollectiveCase timed, Call call, BooleanSupplier isRight) {
        return () -> {
            call.run();
            if (timed.bytes() > 0 && !isRight.getAsBoolean()) {
                throw new IllegalStateException("wrong data from " + timed);
            }
        };
    }

    private static boolean endsWith(DoubleBuffer vector, double value) {
        return vector.get(vector.capacity() - 1) == value;
    }

    /** Each rank brings its number plus one. */
    private static double sumUpTo(int rank) {
        return (rank + 1) * (rank + 2) / 2.0;
    }

    private boolean isGathered(ByteBuffer all) {
        int part = all.capacity() / world.size();
        return IntStream.range(0, world.size()).allMatch(from -> all.get(from * part) == (byte) from);
    }
}
