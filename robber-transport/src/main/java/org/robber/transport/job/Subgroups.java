package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.Survivors;

/** Makes communicators of some of the nodes of another. Used by one thread at a time. */
final class Subgroups {
    /** The number of the meeting in which survivors agree; calls have higher ones. */
    private static final long AGREEMENT = 0;

    private final NettyJob job;
    private final NettyCommunicator parent;
    private final @Nullable Survivors survivors;
    private long made;
    private long shrinks;

    /** @param survivors what made the parent, if a shrink did */
    Subgroups(NettyJob job, NettyCommunicator parent, @Nullable Survivors survivors) {
        this.job = job;
        this.parent = parent;
        this.survivors = survivors;
    }

    /** As {@link Communicator#split}. */
    Optional<Communicator> split(int colour, int key) {
        byte[] own = ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(colour)
                .putInt(key)
                .array();
        List<ByteBuffer> all =
                parent.tell("split", own).stream().map(ByteBuffer::wrap).toList();
        long number = made++;
        if (colour < 0) {
            return Optional.empty();
        }
        int[] members = IntStream.range(0, parent.size())
                .filter(rank -> all.get(rank).getInt(0) == colour)
                .boxed()
                .sorted(Comparator.comparing(rank -> all.get(rank).getInt(Integer.BYTES)))
                .mapToInt(rank -> rank)
                .toArray();
        return Optional.of(child(number, colour, members));
    }

    /** One group for each value, in the order of ranks. No message is needed: all know the values of all. */
    Communicator splitBy(String call, IntFunction<String> value) {
        parent.tell(call, new byte[0]);
        long number = made++;
        Map<String, Integer> colours = new TreeMap<>();
        IntStream.range(0, parent.size()).forEach(rank -> colours.putIfAbsent(value.apply(rank), rank));
        String own = value.apply(parent.rank());
        return child(
                number,
                colours.getOrDefault(own, 0),
                IntStream.range(0, parent.size())
                        .filter(rank -> value.apply(rank).equals(own))
                        .toArray());
    }

    /** As {@link Communicator#group}. */
    Optional<Communicator> group(String call, int... ranks) {
        checkArgument(ranks.length > 0, "a group of nobody");
        for (int rank : ranks) {
            checkArgument(rank >= 0 && rank < parent.size(), "rank %s, of %s nodes", rank, parent.size());
        }
        checkArgument(
                IntStream.of(ranks).distinct().count() == ranks.length,
                "a rank stands twice in %s",
                Ints.asList(ranks));
        parent.tell(call, new byte[0]);
        long number = made++;
        return Ints.contains(ranks, parent.rank()) ? Optional.of(child(number, 0, ranks)) : Optional.empty();
    }

    /** A communicator of the same nodes, whose calls have other options. */
    NettyCommunicator withOptions(String call, ChannelOptions options) {
        parent.tell(call, new byte[0]);
        return parent.child(
                Group.child(parent.members(), made++, 0, parent.members().ranks()), options);
    }

    private Communicator child(long number, long colour, int... ranks) {
        Group group = parent.members();
        return parent.child(
                Group.child(
                        group,
                        number,
                        colour,
                        IntStream.of(ranks).mapToObj(group::rank).toList()),
                parent.options());
    }

    /**
     * As {@link Communicator#shrink}. Members that know of different losses meet in different groups. Losses come in the same order
     * everywhere, so those that know of fewer learn of the next, and come to the others.
     */
    Communicator shrink() {
        Survivors those = survivors == null ? new Survivors(parent.members(), shrinks++) : survivors;
        while (true) {
            Set<Integer> lost = Set.copyOf(job.lost().keySet());
            Group left = those.without(lost);
            try {
                job.callWaiting().until(met(left), "shrink", parent.callLimit());
                return parent.shrunk(left, those);
            } catch (RobberException e) {
                if (job.lost().keySet().equals(lost)) {
                    throw e;
                }
            }
        }
    }

    private CompletableFuture<List<byte[]>> met(Group left) {
        return job.meetings().meet(left, AGREEMENT, "shrink", new byte[0]);
    }
}
