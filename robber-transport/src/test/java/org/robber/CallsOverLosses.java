package org.robber;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;

/**
 * One node of a job some of whose nodes are killed: makes random calls and streams, and compares what they bring with a model, until all victims are dead and
 * some calls more are made. After each loss, those that are left make new groups and go on.
 */
public final class CallsOverLosses {
    /** Every so many cases, one is a stream. */
    private static final int CASES_PER_STREAM = 8;

    private final Communicator world;
    private final long seed;
    private final int survivors;
    private final int casesAfter;
    private final int mostStreamBytes;
    private final Consumer<List<Integer>> lossListener;
    private Communicator nodes;
    private List<Optional<Communicator>> groups = List.of();
    private long next;

    /**
     * @param seed the same at all nodes
     * @param victims how many nodes will be killed
     * @param casesAfter how many cases follow when all victims are dead
     * @param lossListener gets the ranks that a failed call names, each time
     */
    public CallsOverLosses(
            Communicator world,
            long seed,
            int victims,
            int casesAfter,
            int mostStreamBytes,
            Consumer<List<Integer>> lossListener) {
        this.world = world;
        this.seed = seed;
        this.survivors = world.size() - victims;
        this.casesAfter = casesAfter;
        this.mostStreamBytes = mostStreamBytes;
        this.lossListener = lossListener;
        this.nodes = world;
    }

    /** How many cases were begun. */
    public long cases() {
        return next;
    }

    /**
     * Makes the calls. Returns the ranks that are left; none if rank 0 is lost, without which there is no job.
     *
     * @throws AssertionError if a result is wrong, or a call fails for another reason than a loss
     */
    public List<Integer> live() {
        boolean whole = false;
        int after = 0;
        while (after < casesAfter) {
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
                List<Integer> lost = lossOf(e).ranks();
                lossListener.accept(lost);
                if (lost.contains(0)) {
                    return List.of();
                }
                if (nodes.lost().isEmpty()) {
                    throw new AssertionError("the job is over, though rank 0 is not lost", e);
                }
                whole = false;
            }
        }
        return IntStream.range(0, nodes.size()).map(nodes::worldRank).boxed().toList();
    }

    /** One of those that are left writes, and the others compare what comes. */
    private void stream(SeededRandom random) {
        int root = random.nextInt(nodes.size());
        int bytes = random.nextInt(mostStreamBytes);
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
    private static RobberException lossOf(Throwable failure) {
        Throwable cause = failure instanceof AssertionError ? failure.getCause() : failure;
        if (cause instanceof RobberException loss
                && loss.reason() == Reason.NETWORK
                && !loss.ranks().isEmpty()) {
            return loss;
        }
        throw new AssertionError("no loss of a node: " + failure, failure);
    }
}
