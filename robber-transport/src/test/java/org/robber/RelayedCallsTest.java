package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.robber.transport.BufferLeaks;

/** Calls whose pieces may come through third clusters, with so much data that they do. */
class RelayedCallsTest {
    private static final int CLUSTERS = 4;
    private static final int NODES = 2;
    private static final int RANKS = CLUSTERS * NODES;
    private static final int PART_BYTES = 3_000_001;
    private static final int CALLS = 4;

    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    private static byte[] data(int rank, int call, int bytes) {
        byte[] data = new byte[bytes];
        new Random(rank * 31L + call).nextBytes(data);
        return data;
    }

    private static byte[] part(byte[] all, int rank) {
        byte[] part = new byte[all.length / RANKS];
        System.arraycopy(all, rank * part.length, part, 0, part.length);
        return part;
    }

    @Test
    void allDataComeToTheirPlace() {
        try (LocalJob job = Robber.local(CLUSTERS, NODES)) {
            job.run(world -> {
                for (int call = 0; call < CALLS; call++) {
                    int root = call % RANKS;
                    boolean isRoot = world.rank() == root;
                    byte[] own = new byte[PART_BYTES];
                    world.scatter(isRoot ? data(root, call, PART_BYTES * RANKS) : null, own, root);
                    assertThat(own).isEqualTo(part(data(root, call, PART_BYTES * RANKS), world.rank()));

                    byte[] all = isRoot ? new byte[PART_BYTES * RANKS] : null;
                    world.gather(data(world.rank(), call, PART_BYTES), all, root);
                    for (int rank = 0; all != null && rank < RANKS; rank++) {
                        assertThat(part(all, rank)).isEqualTo(data(rank, call, PART_BYTES));
                    }

                    byte[] in = new byte[PART_BYTES / RANKS * RANKS];
                    world.allToAll(data(world.rank(), call, in.length), in);
                    for (int rank = 0; rank < RANKS; rank++) {
                        assertThat(part(in, rank)).isEqualTo(part(data(rank, call, in.length), world.rank()));
                    }
                }
            });
        }
        leaks.check();
    }

    /** A relay keeps what it brings apart from what it combines. */
    @Test
    void allResultsComeToTheirPlace() {
        int block = PART_BYTES / Long.BYTES / RANKS;
        int count = block * RANKS;
        try (LocalJob job = Robber.local(CLUSTERS, NODES)) {
            job.run(world -> {
                for (int call = 0; call < CALLS; call++) {
                    int root = call % RANKS;
                    long[] own = numbers(world.rank(), call, count);
                    long[] all = new long[count];
                    long[] upToHere = new long[count];
                    for (int rank = 0; rank < RANKS; rank++) {
                        long[] of = numbers(rank, call, count);
                        boolean before = rank <= world.rank();
                        Arrays.setAll(all, i -> all[i] + of[i]);
                        Arrays.setAll(upToHere, i -> upToHere[i] + (before ? of[i] : 0));
                    }
                    long[] reduced = new long[count];
                    world.reduce(own, world.rank() == root ? reduced : null, Op.SUM, root);
                    if (world.rank() == root) {
                        assertThat(reduced).isEqualTo(all);
                    }
                    long[] scattered = new long[block];
                    world.reduceScatter(own, scattered, Op.SUM);
                    assertThat(scattered)
                            .isEqualTo(Arrays.copyOfRange(all, world.rank() * block, (world.rank() + 1) * block));
                    long[] scanned = new long[count];
                    world.scan(own, scanned, Op.SUM);
                    assertThat(scanned).isEqualTo(upToHere);
                }
            });
        }
        leaks.check();
    }

    private static long[] numbers(int rank, int call, int count) {
        return new Random(rank * 31L + call).longs(count).toArray();
    }
}
