package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

/** Communicators of some of the nodes. */
class SubgroupsTest {

    /** Each member brings its rank in the job; all members find those that belong to it, in the order of the new ranks. */
    private static void assertMembers(Communicator group, Communicator world, int... worldRanks) {
        assertThat(IntStream.range(0, group.size()).map(group::worldRank)).containsExactly(boxed(worldRanks));
        assertThat(group.worldRank(group.rank())).isEqualTo(world.rank());
        int[] gathered = new int[group.size()];
        group.allGather(new int[] {world.rank()}, gathered);
        assertThat(gathered).isEqualTo(worldRanks);
        // Larger data have connections of the group's own.
        long[] large = new long[20_000];
        if (group.rank() == group.size() - 1) {
            Arrays.fill(large, world.rank());
        }
        group.bcast(large, group.size() - 1);
        assertThat(large).containsOnly(worldRanks[worldRanks.length - 1]);
    }

    private static Integer[] boxed(int... numbers) {
        return IntStream.of(numbers).boxed().toArray(Integer[]::new);
    }

    @Test
    void nodesOfOneColourAreOrderedByTheirKeys() {
        SeededRuns.run(5, random -> {
            int clusters = 1 + random.nextInt(3);
            int nodes = 1 + random.nextInt(3);
            int size = clusters * nodes;
            int[] colours =
                    IntStream.range(0, size).map(i -> random.nextInt(3) - 1).toArray();
            int[] keys = IntStream.range(0, size).map(i -> random.nextInt(3)).toArray();
            try (LocalJob job = Robber.local(clusters, nodes)) {
                job.run(world -> {
                    int colour = colours[world.rank()];
                    Optional<Communicator> group = world.split(colour, keys[world.rank()]);
                    assertThat(group.isPresent()).isEqualTo(colour >= 0);
                    if (group.isPresent()) {
                        int[] expected = IntStream.range(0, 3)
                                .flatMap(key -> IntStream.range(0, size)
                                        .filter(rank -> colours[rank] == colour && keys[rank] == key))
                                .toArray();
                        assertMembers(group.get(), world, expected);
                    }
                });
            }
        });
    }

    @Test
    void clustersHostsAndLeadersHaveGroups() {
        try (LocalJob job = Robber.local(3, 2)) {
            job.run(world -> {
                int first = world.rank() / 2 * 2;
                Communicator cluster = world.splitByCluster();
                assertMembers(cluster, world, first, first + 1);
                assertThat(cluster.clusters()).containsExactly(world.clusters().get(world.rank() / 2));
                assertThat(cluster.nodeName(0)).isEqualTo(world.nodeName(first));
                assertMembers(world.splitByHost(), world, 0, 1, 2, 3, 4, 5);
                Optional<Communicator> leaders = world.leaders();
                assertThat(leaders.isPresent()).isEqualTo(world.rank() % 2 == 0);
                leaders.ifPresent(group -> assertMembers(group, world, 0, 2, 4));
                Optional<Communicator> some = world.group(5, 0, 3);
                assertThat(some.isPresent()).isEqualTo(world.rank() == 5 || world.rank() == 0 || world.rank() == 3);
                some.ifPresent(group -> {
                    assertMembers(group, world, 5, 0, 3);
                    // Groups have groups.
                    Communicator again = group.split(0, -group.rank()).orElseThrow();
                    assertMembers(again, world, 3, 0, 5);
                });
            });
        }
    }

    @Test
    void callsOfDifferentGroupsOverlap() {
        try (LocalJob job = Robber.local(2, 3)) {
            job.run(world -> {
                Communicator row = world.splitByCluster();
                Communicator column =
                        world.split(world.rank() % 3, world.rank()).orElseThrow();
                double[] ofRow = new double[30_000];
                double[] ofColumn = new double[30_000];
                double[] ofAll = new double[30_000];
                Arrays.fill(row.rank() == 0 ? ofRow : new double[0], world.rank());
                Arrays.fill(column.rank() == 1 ? ofColumn : new double[0], world.rank());
                Arrays.fill(world.rank() == 5 ? ofAll : new double[0], 5);
                Operation<Void> first = row.iBcast(ofRow, 0);
                Operation<Void> second = column.iBcast(ofColumn, 1);
                world.bcast(ofAll, 5);
                first.await();
                second.await();
                assertThat(ofRow).containsOnly(world.rank() / 3 * 3);
                assertThat(ofColumn).containsOnly(3 + world.rank() % 3);
                assertThat(ofAll).containsOnly(5);
            });
        }
    }

    @Test
    void wrongGroupsAreRefused() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                assertThatThrownBy(() -> world.group()).hasMessage("a group of nobody");
                assertThatThrownBy(() -> world.group(0, 2)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.group(1, 1)).hasMessage("a rank stands twice in [1, 1]");
            });
        }
    }
}
