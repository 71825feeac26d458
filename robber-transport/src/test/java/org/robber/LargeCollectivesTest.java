package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls with more data than a buffer can hold, and the memory of a large call. */
@Tag("full")
@Timeout(600)
class LargeCollectivesTest {
    private static final long GIB = 1L << 30;

    @Test
    void moreThanTwoGibibytesAreBroadcast() {
        long bytes = 2 * GIB + 12_345_679;
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                PatternStorage data = new PatternStorage(bytes, 7);
                PatternStorage[] made = new PatternStorage[1];
                world.bcastStorage(
                        data,
                        count -> {
                            made[0] = new PatternStorage(count, 7);
                            return made[0];
                        },
                        1);
                if (world.rank() == 0) {
                    assertThat(made[0].sizeBytes()).isEqualTo(bytes);
                    assertThat(made[0].writtenBytes()).isEqualTo(bytes);
                }
            });
        }
    }

    @Test
    void partsBeyondTwoGibibytesComeToTheirPlaces() {
        long[] counts = {2 * GIB + 3, 1_000_001};
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                PatternStorage part = new PatternStorage(counts[world.rank()], 0);
                PatternStorage all = new PatternStorage(counts[0] + counts[1], 0);
                // The second part begins where the pattern does.
                long[] displacements = {0, (counts[0] / PatternStorage.PERIOD_BYTES + 1) * PatternStorage.PERIOD_BYTES};
                PatternStorage room = new PatternStorage(displacements[1] + counts[1], 0);
                world.allGather(part, room, Parts.of(counts, displacements));
                assertThat(room.writtenBytes()).isEqualTo(all.sizeBytes());
            });
        }
    }

    @Test
    void callsOfPartsBringMoreThanTwoGibibytes() {
        // Each part begins where the pattern does.
        long part = 17_000L * PatternStorage.PERIOD_BYTES;
        assertThat(2 * part).isGreaterThan(2 * GIB);
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                boolean isRoot = world.rank() == 1;
                PatternStorage gathered = new PatternStorage(2 * part, 0);
                world.gather(new PatternStorage(part, 0), isRoot ? gathered : null, 1);
                assertThat(gathered.writtenBytes()).isEqualTo(isRoot ? 2 * part : 0);
                PatternStorage own = new PatternStorage(part, 0);
                world.scatter(isRoot ? new PatternStorage(2 * part, 0) : null, own, 1);
                assertThat(own.writtenBytes()).isEqualTo(part);
                PatternStorage exchanged = new PatternStorage(2 * part, 0);
                world.allToAll(new PatternStorage(2 * part, 0), exchanged);
                assertThat(exchanged.writtenBytes()).isEqualTo(2 * part);
            });
        }
    }

    @Test
    void moreThanTwoGibibytesAreAdded() {
        long bytes = 2 * GIB + 1_000_003;
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                PatternStorage sum = new PatternStorage(bytes, 31 + 32, 7 + 8);
                world.allReduce(new PatternStorage(bytes, 31 + world.rank(), 7 + world.rank()), sum, Op.SUM);
                assertThat(sum.writtenBytes()).isEqualTo(bytes);
            });
        }
    }

    /** Peak memory of a process with half a GB of buffers stays within these, the heap, and the memory budget of channels. */
    @Test
    void anAllToAllOfOneGigabyteNeedsNoMoreThanItsBuffersAndTheBudget() throws Exception {
        List<NodeProcess> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < 4; rank++) {
                String port = rank == 0
                        ? "0"
                        : nodes.get(0)
                                .await("port ", Duration.ofMinutes(1))
                                .text()
                                .substring("port ".length());
                nodes.add(new NodeProcess(
                        AllToAllNode.class,
                        List.of("-XX:MaxDirectMemorySize=1g"),
                        List.of(Integer.toString(rank), "4", port, rank < 2 ? "A" : "B")));
            }
            for (NodeProcess node : nodes) {
                String line = node.await("peak ", Duration.ofMinutes(4)).text();
                System.out.println("allToAll of 1 GB among 4 nodes: " + line);
                long growth = Long.parseLong(line.replaceAll(".*growth (\\d+) MiB.*", "$1"));
                assertThat(growth).as(line).isLessThan(AllToAllNode.MOST_GROWTH_MIB);
                assertThat(node.awaitEnd(Duration.ofMinutes(1))).isZero();
            }
        } finally {
            nodes.forEach(NodeProcess::close);
        }
    }
}
