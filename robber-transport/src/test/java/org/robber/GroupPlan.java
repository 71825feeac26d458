package org.robber;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.robber.core.random.SeededRandom;

/**
 * A way to make groups of the nodes of a job, and who must be in them.
 *
 * @param colours by rank; of a group, the members have 0
 * @param order the places of ranks in a split or group
 */
@SuppressWarnings("ArrayRecordComponent") // plans are never compared
record GroupPlan(Kind kind, int[] colours, int[] order) {

    /** Ways to make groups. */
    enum Kind {
        WORLD,
        SPLIT,
        GROUP,
        CLUSTER,
        LEADERS
    }

    static final GroupPlan ALL = new GroupPlan(Kind.WORLD, new int[0], new int[0]);

    /** Any but {@link #ALL}: the same communicator twice would be one group. */
    static GroupPlan draw(SeededRandom random, int nodes) {
        Kind kind = Kind.values()[1 + random.nextInt(Kind.values().length - 1)];
        int[] colours =
                IntStream.range(0, nodes).map(i -> random.nextInt(3) - 1).toArray();
        // There is no group of nobody.
        colours[random.nextInt(nodes)] = 0;
        return new GroupPlan(kind, colours, random.permutation(nodes));
    }

    /** The group that this node is in, if any. Collective. */
    Optional<Communicator> make(Communicator world) {
        return switch (kind) {
            case WORLD -> Optional.of(world);
            case SPLIT -> world.split(colours[world.rank()], order[world.rank()]);
            case GROUP -> world.group(chosen(0));
            case CLUSTER -> Optional.of(world.splitByCluster());
            case LEADERS -> world.leaders();
        };
    }

    /** The ranks in the group of a node; none if it is in none. */
    List<Integer> members(List<String> clusters, int self) {
        IntStream all = IntStream.range(0, clusters.size());
        IntStream members = switch (kind) {
            case WORLD -> all;
            case SPLIT -> IntStream.of(chosen(colours[self])).filter(rank -> colours[self] >= 0);
            case GROUP -> IntStream.of(chosen(0));
            case CLUSTER -> all.filter(rank -> clusters.get(rank).equals(clusters.get(self)));
            case LEADERS -> all.filter(rank -> clusters.indexOf(clusters.get(rank)) == rank);
        };
        List<Integer> ranks = members.boxed().toList();
        return ranks.contains(self) ? ranks : List.of();
    }

    private int[] chosen(int colour) {
        return IntStream.range(0, colours.length)
                .filter(rank -> colours[rank] == colour)
                .boxed()
                .sorted(Comparator.comparing(rank -> order[rank]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public String toString() {
        return switch (kind) {
            case SPLIT -> kind + " by " + Arrays.toString(colours) + " and " + Arrays.toString(order);
            case GROUP -> kind + " of " + Arrays.toString(chosen(0));
            default -> kind.toString();
        };
    }
}
