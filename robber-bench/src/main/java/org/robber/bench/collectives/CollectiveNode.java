package org.robber.bench.collectives;

import com.google.common.primitives.Doubles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.Op;
import org.robber.Robber;
import org.robber.bench.Median;

/**
 * A node of {@code robber-bench/bin/collectives}: times the calls of the variable {@code COLLECTIVES_CASES} with the strategy {@code COLLECTIVES_STRATEGY},
 * and checks what they bring. Rank 0 writes a line for each to the file {@code COLLECTIVES_RESULTS}: call, bytes, and the least, the median and the
 * greatest time of a row of calls in microseconds. A barrier before each call is not timed. Calls of a case go on for {@code COLLECTIVES_WARM_UP} seconds before
 * one is timed.
 */
public final class CollectiveNode {
    private static final int PIECE_BYTES = 1 << 16;

    private final Communicator job;
    private final ChannelOptions options;
    private final Communicator world;
    private final double warmUpSeconds;
    private final List<String> lines = new ArrayList<>();
    private final CallData data;

    private CollectiveNode(Communicator job, ChannelOptions options, double warmUpSeconds) {
        this.job = job;
        this.options = options;
        this.world = job.withOptions(options);
        this.warmUpSeconds = warmUpSeconds;
        this.data = new CallData(world);
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
                    options(
                            variable("COLLECTIVES_STRATEGY"),
                            variable("COLLECTIVES_IN_PIECES").equals("yes")),
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
     * How calls are made.
     *
     * @param inPieces whether data move in pieces over connections with every strategy, as with those that are not the default
     */
    static ChannelOptions options(String strategy, boolean inPieces) {
        ChannelOptions chosen = ChannelOptions.defaults().withStrategy(strategy);
        return inPieces ? chosen.withSharedMemory(false).withPieceBytes(PIECE_BYTES) : chosen;
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
        data.reuse();
        if (timed.call().equals("multicast")) {
            try (MulticastChannel channel = job.multicastChannel(options)) {
                time(timed, data.multicast(timed, channel));
            }
        } else {
            time(timed, data.call(timed));
        }
    }

    private void time(CollectiveCase timed, CheckedCall call) {
        // A barrier needs no other before it: it lets nobody go before all have come.
        Runnable before = timed.call().equals("barrier") ? () -> {} : world::barrier;
        long unused = call.nanos(before);
        warmUp(call, before, timed.callsPerRow());
        double[] micros = new double[timed.rows()];
        for (int row = 0; row < micros.length; row++) {
            micros[row] = row(call, before, timed.callsPerRow());
        }
        lines.add(String.format(
                Locale.ROOT,
                "%s %d %.1f %.1f %.1f",
                timed.call(),
                timed.bytes(),
                Doubles.min(micros),
                Median.of(micros),
                Doubles.max(micros)));
    }

    /** The mean time of the calls of a row in microseconds, at the node where they took longest. */
    private double row(CheckedCall call, Runnable before, int calls) {
        long nanos = 0;
        for (int i = 0; i < calls; i++) {
            nanos += call.nanos(before);
        }
        double[] micros = {nanos / 1e3 / calls};
        world.allReduce(micros, Op.MAX);
        return micros[0];
    }

    /** Rank 0 says when it is enough. */
    private void warmUp(CheckedCall call, Runnable before, int calls) {
        long end = System.nanoTime() + (long) (warmUpSeconds * 1e9);
        double[] more = {0};
        do {
            more[0] = world.rank() == 0 && System.nanoTime() < end ? 1 : 0;
            world.allReduce(more, Op.MAX);
            if (more[0] > 0) {
                double unused = row(call, before, calls);
            }
        } while (more[0] > 0);
    }
}
