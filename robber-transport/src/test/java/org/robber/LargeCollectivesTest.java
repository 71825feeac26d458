package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls with more data than a buffer can hold, and the memory of a large call. */
@Tag("full")
@Timeout(600)
class LargeCollectivesTest {
    private static final long GIB = 1L << 30;

    /**
     * Bytes that depend on their position, without memory. Each write is compared with the pattern, and counted. The sum of two patterns has the sum
     * of their steps and seeds.
     */
    private record Pattern(long sizeBytes, long step, long seed, AtomicLong written) implements Storage {
        Pattern(long sizeBytes, long seed) {
            this(sizeBytes, 31, seed);
        }

        Pattern(long sizeBytes, long step, long seed) {
            this(sizeBytes, step, seed, new AtomicLong());
        }

        /** So much of the pattern that any byte is at the position that it has modulo this. */
        private static final int PERIOD = 65_521;

        private ByteBuffer row(int bytes) {
            ByteBuffer row = ByteBuffer.allocate(PERIOD + bytes);
            for (int i = 0; i < PERIOD; i++) {
                row.put(i, (byte) (i * step + seed));
            }
            for (int i = PERIOD; i < row.capacity(); i++) {
                row.put(i, row.get(i - PERIOD));
            }
            return row;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) {
            int from = (int) (offsetBytes % PERIOD);
            target.put(row(target.remaining()).slice(from, target.remaining()));
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            int bytes = source.remaining();
            int from = (int) (offsetBytes % PERIOD);
            if (!row(bytes).slice(from, bytes).equals(source)) {
                throw new IllegalStateException("wrong bytes at " + offsetBytes);
            }
            source.position(source.limit());
            written.addAndGet(bytes);
        }

        @Override
        public void close() {}
    }

    @Test
    void moreThanTwoGibibytesAreBroadcast() {
        long bytes = 2 * GIB + 12_345_679;
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                Pattern data = new Pattern(bytes, 7);
                Pattern[] made = new Pattern[1];
                world.bcastStorage(
                        data,
                        count -> {
                            made[0] = new Pattern(count, 7);
                            return made[0];
                        },
                        1);
                if (world.rank() == 0) {
                    assertThat(made[0].sizeBytes()).isEqualTo(bytes);
                    assertThat(made[0].written).hasValue(bytes);
                }
            });
        }
    }

    @Test
    void partsBeyondTwoGibibytesComeToTheirPlaces() {
        long[] counts = {2 * GIB + 3, 1_000_001};
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                Pattern part = new Pattern(counts[world.rank()], 0);
                Pattern all = new Pattern(counts[0] + counts[1], 0);
                // The second part begins where the pattern does.
                long[] displacements = {0, (counts[0] / Pattern.PERIOD + 1) * Pattern.PERIOD};
                Pattern room = new Pattern(displacements[1] + counts[1], 0);
                world.allGather(part, room, Parts.of(counts, displacements));
                assertThat(room.written).hasValue(all.sizeBytes());
            });
        }
    }

    @Test
    void callsOfPartsBringMoreThanTwoGibibytes() {
        // Each part begins where the pattern does.
        long part = 17_000L * Pattern.PERIOD;
        assertThat(2 * part).isGreaterThan(2 * GIB);
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                boolean isRoot = world.rank() == 1;
                Pattern gathered = new Pattern(2 * part, 0);
                world.gather(new Pattern(part, 0), isRoot ? gathered : null, 1);
                assertThat(gathered.written).hasValue(isRoot ? 2 * part : 0);
                Pattern own = new Pattern(part, 0);
                world.scatter(isRoot ? new Pattern(2 * part, 0) : null, own, 1);
                assertThat(own.written).hasValue(part);
                Pattern exchanged = new Pattern(2 * part, 0);
                world.allToAll(new Pattern(2 * part, 0), exchanged);
                assertThat(exchanged.written).hasValue(2 * part);
            });
        }
    }

    @Test
    void moreThanTwoGibibytesAreAdded() {
        long bytes = 2 * GIB + 1_000_003;
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                Pattern sum = new Pattern(bytes, 31 + 32, 7 + 8);
                world.allReduce(new Pattern(bytes, 31 + world.rank(), 7 + world.rank()), sum, Op.SUM);
                assertThat(sum.written).hasValue(bytes);
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
