package org.robber;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;

/**
 * A process of {@link CollectiveKillsTest}: makes random calls and streams, and compares what they bring, until all victims are killed and some calls more are
 * made. Says on standard output what happens; a wrong result or another failure ends it with a trace.
 */
final class KilledNode {
    /** So many cases follow when all victims are dead. */
    private static final int CASES_AFTER = 30;

    /** Every so many cases, one is a stream. */
    private static final int CASES_PER_STREAM = 8;

    private static final int MOST_STREAM_BYTES = 40 << 20;

    private final Communicator world;
    private final long seed;
    private final int survivors;
    private Communicator nodes;
    private List<Optional<Communicator>> groups = List.of();
    private long next;

    private KilledNode(Communicator world, long seed, int victims) {
        this.world = world;
        this.seed = seed;
        this.survivors = world.size() - victims;
        this.nodes = world;
    }

    /** Arguments: rank, size, port, cluster, seed, victims. */
    public static void main(String[] args) {
        JobOptions options = JobOptions.of(
                        "kills",
                        "127.0.0.1",
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[0]),
                        Integer.parseInt(args[1]))
                .withCluster(args[3]);
        try (Robber robber = Robber.join(options, port -> say("port " + port))) {
            robber.world().barrier();
            say("begun");
            new KilledNode(robber.world(), Long.parseLong(args[4]), Integer.parseInt(args[5])).live();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void live() {
        boolean whole = false;
        int after = 0;
        while (after < CASES_AFTER) {
            try {
                if (!whole) {
                    regroup();
                    whole = true;
                    after = 0;
                }
                SeededRandom random = SeededRandom.forUse(seed, next);
                if (next % CASES_PER_STREAM == 0) {
                    stream(random);
                } else {
                    RandomCalls.draw(random, groups.size(), world.size()).run(groups, world.rank());
                }
                next++;
                after += nodes.size() == survivors ? 1 : 0;
            } catch (RobberException | AssertionError e) {
                RobberException loss = loss(e);
                say("lost " + loss.ranks());
                if (loss.ranks().contains(0)) {
                    // There is no job without rank 0.
                    return;
                }
                whole = false;
            }
        }
        say("left "
                + IntStream.range(0, nodes.size()).map(nodes::worldRank).boxed().toList() + " after " + next
                + " cases");
    }

    /** One of those that are left writes, and the others compare what comes. */
    private void stream(SeededRandom random) {
        int root = random.nextInt(nodes.size());
        int bytes = random.nextInt(MOST_STREAM_BYTES);
        try (MulticastStream stream = nodes.openStream(root)) {
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            int at = 0;
            if (nodes.rank() == root) {
                while (at < bytes) {
                    buffer.clear().limit(Math.min(buffer.capacity(), bytes - at));
                    while (buffer.hasRemaining()) {
                        buffer.put(byteAt(at++));
                    }
                    stream.write(buffer.flip());
                }
                return;
            }
            while (stream.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    if (buffer.get() != byteAt(at++)) {
                        throw new AssertionError("byte " + (at - 1) + " of a stream from rank " + root + " is wrong");
                    }
                }
            }
            if (at != bytes) {
                throw new AssertionError(at + " of " + bytes + " bytes of a stream from rank " + root + " have come");
            }
        }
    }

    private static byte byteAt(int place) {
        return (byte) ((place * 31) >> 3);
    }

    /** Makes groups of those that are left, who agree on the next case. */
    private void regroup() {
        if (!nodes.lost().isEmpty()) {
            nodes = nodes.shrink();
        }
        long[] number = {next};
        nodes.allReduce(number, Op.MAX);
        next = number[0] + 1;
        int[] reversed =
                IntStream.range(0, nodes.size()).map(i -> nodes.size() - 1 - i).toArray();
        groups = List.of(
                Optional.of(nodes),
                Optional.of(nodes.splitByCluster()),
                nodes.leaders(),
                nodes.group(reversed),
                nodes.split(nodes.rank() % 2, 0));
    }

    /** The loss of nodes that this is about. */
    private static RobberException loss(Throwable failure) {
        Throwable cause = failure instanceof AssertionError ? failure.getCause() : failure;
        if (cause instanceof RobberException loss
                && loss.reason() == Reason.NETWORK
                && !loss.ranks().isEmpty()) {
            return loss;
        }
        throw new AssertionError("no loss of a node", failure);
    }
}
