package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Each collective call against what it means: copies between the buffers of all ranks. */
class CollectivesTest {
    private static final int CALLS = 6;

    /** The buffers of all ranks before a call: the same at every rank. */
    private record Call(long seed, int ranks, int bytes) {

        static Call draw(SeededRandom random, int ranks) {
            int kind = random.nextInt(6);
            int bytes = kind == 0 ? random.nextInt(3) : random.nextInt(kind < 3 ? 3_000 : 300_000);
            return new Call(random.nextLong(), ranks, bytes);
        }

        /** So many bytes of a rank; other bytes for other ranks. */
        byte[] of(int rank, int count) {
            byte[] data = new byte[count];
            new Random(seed + rank).nextBytes(data);
            return data;
        }

        byte[] part(byte[] all, int index) {
            return Arrays.copyOfRange(all, index * bytes, (index + 1) * bytes);
        }
    }

    private static ByteBuffer buffer(byte[] data, boolean direct) {
        if (!direct) {
            return ByteBuffer.wrap(data.clone());
        }
        // What remains of it begins in the middle.
        ByteBuffer buffer = ByteBuffer.allocateDirect(data.length + 3).position(3);
        return buffer.put(data).position(3);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    @Test
    void everyCallDoesWhatItMeans() {
        SeededRuns.run(12, random -> {
            int clusters = 1 + random.nextInt(4);
            int nodes = 1 + random.nextInt(3);
            int ranks = clusters * nodes;
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(Call.draw(random, ranks));
            }
            try (LocalJob job = Robber.local(clusters, nodes)) {
                job.run(world -> calls.forEach(call -> check(world, call)));
            }
        });
    }

    /** Slices of a broadcast differ by a few bytes, and one of them may be too long for a message. */
    @Test
    void broadcastsAtTheLimitOfAMessageArrive() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                for (int bytes = (2 << 20) - 17; bytes < (2 << 20) + 34; bytes += 3) {
                    byte[] data = new byte[bytes];
                    Arrays.fill(data, (byte) (world.rank() == 1 ? bytes : 0));
                    world.bcast(data, 1);
                    assertThat(data).containsOnly((byte) bytes);
                }
            });
        }
    }

    @Test
    void groupsOfOneMoveTheirOwnData() {
        byte[] part = new Call(3, 1, 200_000).of(0, 200_000);
        try (LocalJob job = Robber.local(1, 1)) {
            job.run(world -> {
                byte[] all = new byte[part.length];
                world.allGather(part, all);
                assertThat(all).isEqualTo(part);
                byte[] sum = new byte[part.length];
                world.allReduce(part, sum, Op.SUM);
                assertThat(sum).isEqualTo(part);
            });
        }
    }

    @Test
    void closeWaitsForCallsThatAreUnderWay() {
        int[] counts = new int[100_000];
        Arrays.fill(counts, 1);
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                for (int i = 0; i < 20; i++) {
                    Communicator group = world.withOptions(ChannelOptions.defaults());
                    int[] sums = new int[counts.length];
                    Operation<Void> first = group.iAllReduce(counts, sums, Op.SUM);
                    Operation<Void> second = group.iBcast(new byte[200_000], 1);
                    group.close();
                    assertThat(first.test()).isTrue();
                    assertThat(second.test()).isTrue();
                    assertThat(sums).containsOnly(3);
                }
            });
        }
    }

    private static void check(Communicator world, Call call) {
        int self = world.rank();
        int root = (int) Math.floorMod(call.seed(), (long) call.ranks());
        boolean direct = (call.seed() & 1) == 0;
        switch ((int) Math.floorMod(call.seed() >> 8, 6L)) {
            case 0 -> {
                ByteBuffer data = buffer(self == root ? call.of(root, call.bytes()) : new byte[call.bytes()], direct);
                world.bcast(data, root);
                assertThat(bytes(data)).isEqualTo(call.of(root, call.bytes()));
            }
            case 1 -> {
                int other = (root + 1) % call.ranks();
                int[] roots = other == root ? new int[] {root} : new int[] {root, other};
                boolean has = self == root || self == other;
                ByteBuffer data = buffer(has ? call.of(root, call.bytes()) : new byte[call.bytes()], direct);
                world.bcast(data, roots);
                assertThat(bytes(data)).isEqualTo(call.of(root, call.bytes()));
            }
            case 2 -> {
                ByteBuffer all = buffer(new byte[call.bytes() * call.ranks()], direct);
                world.allGather(buffer(call.of(self, call.bytes()), !direct), all);
                assertGathered(call, all);
            }
            case 3 -> {
                ByteBuffer all = self == root ? buffer(new byte[call.bytes() * call.ranks()], direct) : null;
                world.gather(buffer(call.of(self, call.bytes()), direct), all, root);
                if (all != null) {
                    assertGathered(call, all);
                }
            }
            case 4 -> {
                byte[] all = call.of(root, call.bytes() * call.ranks());
                ByteBuffer part = buffer(new byte[call.bytes()], direct);
                world.scatter(self == root ? buffer(all, direct).asReadOnlyBuffer() : null, part, root);
                assertThat(bytes(part)).isEqualTo(call.part(all, self));
            }
            default -> {
                int count = call.bytes() * call.ranks();
                ByteBuffer in = buffer(new byte[count], direct);
                world.allToAll(buffer(call.of(self, count), direct), in);
                for (int rank = 0; rank < call.ranks(); rank++) {
                    assertThat(call.part(bytes(in), rank)).isEqualTo(call.part(call.of(rank, count), self));
                }
            }
        }
    }

    private static void assertGathered(Call call, ByteBuffer all) {
        for (int rank = 0; rank < call.ranks(); rank++) {
            assertThat(call.part(bytes(all), rank)).isEqualTo(call.of(rank, call.bytes()));
        }
    }

    @Test
    void aPartMayBeASliceOfTheWhole() {
        int bytes = 300_000;
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                ByteBuffer all = ByteBuffer.allocateDirect(4 * bytes);
                ByteBuffer part = all.slice(world.rank() * bytes, bytes);
                part.put(0, new byte[] {(byte) (world.rank() + 1)});
                world.allGather(part, all);
                for (int rank = 0; rank < 4; rank++) {
                    assertThat(all.get(rank * bytes)).isEqualTo((byte) (rank + 1));
                }
            });
        }
    }

    @Test
    void theRootMayGetItsPartInThePlaceOfAnother() {
        for (int bytes : new int[] {10, 600_000}) {
            try (LocalJob job = Robber.local(1, 3)) {
                job.run(world -> {
                    ByteBuffer all = ByteBuffer.allocateDirect(3 * bytes);
                    for (int rank = 0; rank < 3; rank++) {
                        all.put(rank * bytes, (byte) (rank + 1));
                    }
                    ByteBuffer part = world.rank() == 2 ? all.slice(0, bytes) : ByteBuffer.allocate(bytes);
                    world.scatter(all, part, 2);
                    assertThat(part.get(0)).isEqualTo((byte) (world.rank() + 1));
                });
            }
        }
    }

    @Test
    void rootsWithDifferentDataAreNamed() {
        for (int bytes : new int[] {300, 900_000}) {
            try (LocalJob job = Robber.local(2, 2)) {
                assertThatThrownBy(() -> job.run(world -> {
                            byte[] data = new byte[bytes];
                            data[bytes / 2] = (byte) world.rank();
                            world.bcast(ByteBuffer.wrap(data), 0, 3);
                        }))
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).isEqualTo(Reason.INTEGRITY);
                            assertThat(failure).hasMessageContaining("differ from those of the other ranks");
                        });
            }
        }
    }

    @Test
    void failuresOfGroupsNameRanksOfTheJob() {
        for (int bytes : new int[] {300, 900_000}) {
            try (LocalJob job = Robber.local(1, 4)) {
                assertThatThrownBy(() -> job.run(world -> world.group(3, 2).ifPresent(group -> {
                            byte[] data = new byte[bytes];
                            data[bytes / 2] = (byte) group.rank();
                            group.bcast(data, 0, 1);
                        })))
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.INTEGRITY);
                            assertThat(failure.ranks()).containsExactly(2);
                        });
            }
        }
    }

    @Test
    void callsWithDifferentArgumentsAreNamed() {
        for (int bytes : new int[] {10, 600_000}) {
            try (LocalJob job = Robber.local(1, 3)) {
                assertThatThrownBy(() -> job.run(world -> {
                            int part = world.rank() == 2 ? bytes + 1 : bytes;
                            world.allGather(ByteBuffer.allocate(part), ByteBuffer.allocate(3 * part));
                        }))
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.USAGE);
                            assertThat(failure.ranks()).contains(2);
                            assertThat(failure)
                                    .hasMessageContaining(bytes + " byte")
                                    .hasMessageContaining((bytes + 1) + " byte");
                        });
            }
        }
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                ByteBuffer part = ByteBuffer.allocate(10);
                assertThatThrownBy(() -> world.allGather(part, ByteBuffer.allocate(19)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("the buffer for the data of all nodes holds 19 elements; 2 parts of 10 are 20");
                assertThatThrownBy(() ->
                                world.allGather(part, ByteBuffer.allocate(20).asReadOnlyBuffer()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("all: nothing can be received into a read-only buffer");
                assertThatThrownBy(() -> world.scatter(null, part, 2)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.bcast(part)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.bcast(part, 1, 1)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.allToAll(ByteBuffer.allocate(9), ByteBuffer.allocate(9)))
                        .isInstanceOf(IllegalArgumentException.class);
                ByteBuffer ten = ByteBuffer.allocate(10);
                assertThatThrownBy(() -> world.allToAll(ten, ten.duplicate()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("allToAll needs other memory to receive than to send");
                if (world.rank() == 0) {
                    assertThatThrownBy(() -> world.gather(part, null, 0))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("all is null");
                }
                // The communicator is as good as before.
                world.barrier();
            });
        }
    }

    /** Rank 1 takes part only after one of the two threads was refused, so neither call can have ended before. */
    @Test
    void aCloseThatIsRefusedLeavesTheGroupAlone() {
        CountDownLatch refused = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                try (Communicator group = world.split(0, world.rank()).orElseThrow()) {
                    if (world.rank() == 1) {
                        assertThatCode(refused::await).doesNotThrowAnyException();
                    } else {
                        Thread waiter = new Thread(group::barrier);
                        waiter.start();
                        while (waiter.getState() != Thread.State.WAITING
                                && waiter.getState() != Thread.State.TIMED_WAITING) {
                            Thread.onSpinWait();
                        }
                        assertThatThrownBy(group::close)
                                .hasMessageContaining("another thread is in a call of this communicator");
                        refused.countDown();
                        assertThatCode(waiter::join).doesNotThrowAnyException();
                    }
                    if (world.rank() == 1) {
                        group.barrier();
                    }
                    group.barrier();
                }
            });
        }
    }

    @Test
    void callsOfTwoThreadsAtATimeAreRefused() {
        CountDownLatch refused = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                if (world.rank() == 1) {
                    assertThatCode(refused::await).doesNotThrowAnyException();
                    world.allGather(ByteBuffer.allocate(4), ByteBuffer.allocate(8));
                    return;
                }
                Runnable call = () -> {
                    try {
                        world.allGather(ByteBuffer.allocate(4), ByteBuffer.allocate(8));
                    } catch (RobberException another) {
                        assertThat(another).hasMessageContaining("another thread is in a call of this communicator");
                        refused.countDown();
                    }
                };
                Thread other = new Thread(call);
                other.start();
                call.run();
                assertThatCode(other::join).doesNotThrowAnyException();
                assertThat(refused.getCount()).isZero();
            });
        }
    }
}
