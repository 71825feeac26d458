package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntBiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

/** Arguments that cannot be right are refused before anything is sent: afterwards the communicator is as good as before. */
class BadInputTest {

    private interface Calls {
        void with(Communicator world, int[] data);
    }

    /** Each node makes the calls, each of which must be refused; then a call must work. */
    private static void refused(Class<? extends RuntimeException> type, Calls... calls) {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                for (int i = 0; i < calls.length; i++) {
                    Calls call = calls[i];
                    assertThatThrownBy(() -> call.with(world, new int[4]))
                            .as("call %s", i)
                            .isInstanceOf(type);
                }
                int[] sum = {1};
                world.allReduce(sum, Op.SUM);
                assertThat(sum).containsExactly(2);
            });
        }
    }

    @Test
    void nothingGiven() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.bcast((Object) null, 0),
                (world, data) -> world.bcast(data),
                (world, data) -> world.bcastUpTo(null, 0),
                (world, data) -> world.bcast((int[]) null, int[]::new, world.rank()),
                (world, data) -> world.bcast(data, (IntFunction<int[]>) null, 1 - world.rank()),
                (world, data) -> world.bcastStorage(null, null, 1 - world.rank()),
                (world, data) -> world.bcast(null, List.of(new ElementRange(0, 1))),
                (world, data) -> world.allGather(null, data),
                (world, data) -> world.allGather(data, null),
                (world, data) -> world.gather(data, null, world.rank()),
                (world, data) -> world.gather(data, data, null, world.rank()),
                (world, data) -> world.scatter(null, data, world.rank()),
                (world, data) -> world.scatter(data, null, 0),
                (world, data) -> world.allToAll(data, null),
                (world, data) -> world.reduce(null, data, Op.SUM, 0),
                (world, data) -> world.reduce(data, null, Op.SUM, world.rank()),
                (world, data) -> world.allReduce(data, (Op) null),
                (world, data) -> world.scan(data, null, Op.SUM),
                (world, data) -> world.exScan(null, data, Op.SUM),
                (world, data) -> world.reduceScatter(data, null, Op.SUM),
                (world, data) -> world.reduceScatter(data, data, null, Op.SUM),
                (world, data) -> world.bcast(data, (int[]) null),
                (world, data) -> world.bcast(data, (List<ElementRange>) null),
                (world, data) -> world.bcast(data, Collections.singletonList(null)),
                (world, data) -> world.allGather(data, data, null),
                (world, data) -> world.scatter(data, null, data, world.rank()),
                (world, data) -> world.allToAll(data, null, new int[4], Parts.of(2, 2)),
                (world, data) -> world.allToAll(data, Parts.of(2, 2), new int[4], null),
                (world, data) -> world.group((int[]) null),
                (world, data) -> world.withOptions(null),
                (world, data) -> world.multicastChannel(null),
                (world, data) -> world.openStream(0, null),
                (world, data) -> world.limitCalls(null),
                (world, data) -> world.onLost(null),
                (world, data) -> Op.of(null, true, (left, right) -> {}),
                (world, data) -> Op.ofInts("nothing", true, null),
                (world, data) -> Op.ofLongs("nothing", true, null),
                (world, data) -> Op.ofDoubles("nothing", true, null));
    }

    @Test
    void nothingGivenToAChannel() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                List<ThrowingCallable> calls = List.of(
                        () -> channel.multicast((byte[]) null),
                        () -> channel.multicast((ByteBuffer) null, 0),
                        () -> channel.multicast((Storage) null, 0),
                        () -> channel.multicast((Storage) null, List.of(new RootStripe(0, 1))),
                        () -> channel.multicast(Storage.of(ByteBuffer.allocate(1)), null),
                        () -> channel.resume((Storage) null, 0),
                        () -> channel.letJoin(null));
                for (int i = 0; i < calls.size(); i++) {
                    assertThatThrownBy(calls.get(i))
                            .as("call %s", i)
                            .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
                }
                byte[] data = {(byte) world.rank()};
                channel.multicast(data, 1);
                channel.close();
                assertThat(data).containsExactly(1);
            });
        }
    }

    @Test
    void namesThatNoMessageHasRoomFor() {
        refused(
                IllegalArgumentException.class,
                (world, data) ->
                        world.allReduce(data, Op.ofInts("x".repeat(Op.MOST_NAME_CHARACTERS + 1), true, Math::max)),
                (world, data) -> world.allReduce(data, Op.ofInts("\ud800", true, Math::max)),
                (world, data) -> world.allReduce(data, Op.ofInts("two\nlines", true, Math::max)));
    }

    @Test
    void theLongestNameOfAnOperation() {
        Op longest = Op.ofInts("\u20ac".repeat(Op.MOST_NAME_CHARACTERS), true, Math::max);
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                for (int size : new int[] {1, 200_000}) {
                    int[] data = new int[size];
                    data[0] = world.rank();
                    world.allReduce(data, longest);
                    assertThat(data[0]).isEqualTo(1);
                }
            });
        }
    }

    @Test
    void ranksOutsideOfTheGroupHaveNoPlace() {
        List<ToIntBiFunction<Communicator, Integer>> questions = List.of(
                Communicator::worldRank,
                Communicator::clusterOf,
                (world, rank) -> world.nodeName(rank).length(),
                (world, rank) -> world.hostName(rank).length());
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                Communicator alone = world.split(world.rank(), 0).orElseThrow();
                questions.forEach(question -> {
                    for (int rank : new int[] {-1, 1}) {
                        assertThatThrownBy(() -> question.applyAsInt(alone, rank))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage("rank " + rank + " of 1 nodes");
                    }
                });
            });
        }
    }

    @Test
    void aJobThatIsClosedRunsNoProgram() {
        LocalJob job = Robber.local(1, 1);
        job.close();
        assertThatThrownBy(() -> job.run(world -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the job is closed");
    }

    @Test
    void nothingCanBeReceivedIntoReadOnlyBuffers() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.bcast(fixed(4), 1 - world.rank()),
                (world, data) -> world.bcastUpTo(fixed(4), 1 - world.rank()),
                (world, data) -> world.bcast(fixed(4), List.of(new ElementRange(1, 4))),
                (world, data) -> world.allGather(data, fixed(8)),
                (world, data) -> world.gather(data, fixed(8), world.rank()),
                (world, data) -> world.scatter(new int[8], fixed(4), 0),
                (world, data) -> world.allToAll(data, fixed(4)),
                (world, data) -> world.allReduce(fixed(4), Op.SUM),
                (world, data) -> world.reduceScatter(data, fixed(2), Op.SUM),
                (world, data) -> world.scan(data, fixed(4), Op.SUM));
    }

    private static IntBuffer fixed(int elements) {
        return IntBuffer.allocate(elements).asReadOnlyBuffer();
    }

    @Test
    void buffersOfTheWrongSize() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.bcast(data, List.of(new ElementRange(0, 5))),
                (world, data) -> world.allGather(data, new int[7]),
                (world, data) -> world.allGather(data, new int[9]),
                (world, data) -> world.gather(data, new int[7], world.rank()),
                (world, data) -> world.scatter(new int[7], data, world.rank()),
                (world, data) -> world.allToAll(new int[3], new int[3]),
                (world, data) -> world.allToAll(data, new int[6]),
                (world, data) -> world.allReduce(data, new int[5], Op.SUM),
                (world, data) -> world.reduceScatter(data, new int[3], Op.SUM),
                (world, data) -> world.allGather(data, new int[4], Parts.of(4, 4)));
    }

    /** A storage of so many bytes that is never read. */
    private record Untouched(long sizeBytes) implements Storage {
        @Override
        public void read(long offsetBytes, ByteBuffer target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @Test
    void morePiecesThanACallMayHave() {
        long bytes = 1L << 30;
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                Communicator calls = world.withOptions(ChannelOptions.defaults().withPieceBytes(1));
                assertThatThrownBy(() -> calls.bcast(new Untouched(bytes), 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("more than 16777216 pieces of 16 bytes");
                // Only together they know how much it is.
                assertThatThrownBy(() -> calls.allGather(
                                new Untouched(bytes),
                                new Untouched(2 * bytes),
                                Parts.of(new long[] {bytes, bytes}, new long[] {0, bytes})))
                        .isInstanceOfSatisfying(
                                RobberException.class,
                                failure -> assertThat(failure.reason()).isEqualTo(Reason.USAGE))
                        .hasMessageContainingAll("allGather", "more than 16777216 pieces of 16 bytes");
                int[] sum = {1};
                calls.allReduce(sum, Op.SUM);
                assertThat(sum).containsExactly(2);
            });
        }
    }

    @Test
    void partsInThePlaceOfAnother() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.allGather(inPlaceOf(1 - world.rank(), data), data),
                (world, data) -> world.gather(inPlaceOf(1 - world.rank(), data), data, world.rank()),
                (world, data) -> world.allGather(inPlaceOf(1 - world.rank(), data), data, Parts.of(2, 2)),
                (world, data) -> world.gather(inPlaceOf(1 - world.rank(), data), data, Parts.of(2, 2), world.rank()),
                (world, data) -> world.scatter(data, IntBuffer.wrap(data, 1, 2), world.rank()),
                (world, data) -> world.scatter(data, Parts.of(2, 2), IntBuffer.wrap(data, 1, 2), world.rank()));
    }

    private static IntBuffer inPlaceOf(int rank, int[] data) {
        return IntBuffer.wrap(data, 2 * rank, 2);
    }

    /** The order of bytes is that of each node's buffer: numbers arrive as numbers. */
    @Test
    void buffersOfAnyByteOrder() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                ByteOrder order = world.rank() == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                for (int count : new int[] {1, 800_000}) {
                    LongBuffer numbers =
                            ByteBuffer.allocate(count * Long.BYTES).order(order).asLongBuffer();
                    numbers.put(count - 1, world.rank() == 0 ? 258 : 0);
                    world.bcast(numbers, 0);
                    assertThat(numbers.get(count - 1)).isEqualTo(258);
                    world.allReduce(numbers, Op.SUM);
                    assertThat(numbers.get(count - 1)).isEqualTo(516);
                }
            });
        }
    }

    @Test
    void countsThatAreNegativeOrTooLarge() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> Parts.of(3, -1),
                (world, data) -> Parts.of(new long[] {1, 1}, new long[] {0, -1}),
                (world, data) -> Parts.of(new long[] {Long.MAX_VALUE, 1}),
                (world, data) -> Parts.of(new long[] {2, 2}, new long[] {0, Long.MAX_VALUE}),
                (world, data) -> new ElementRange(-1, 2),
                (world, data) -> new ElementRange(2, 1),
                (world, data) -> world.reduceScatter(data, new int[5], new int[] {5, -1}, Op.SUM),
                (world, data) ->
                        world.reduceScatter(data, data, new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE}, Op.SUM),
                (world, data) -> world.bcast(data, Collections.nCopies(300, new ElementRange(0, 1))));
    }

    @Test
    void placesThatOverlap() {
        Parts overlapping = Parts.of(new long[] {2, 2}, new long[] {0, 1});
        ByteBuffer direct = ByteBuffer.allocateDirect(12);
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.allGather(new int[2], data, overlapping),
                (world, data) -> world.gather(new int[2], data, overlapping, world.rank()),
                (world, data) -> world.allToAll(new int[4], Parts.of(2, 2), data, overlapping),
                (world, data) -> world.allToAll(data, data),
                (world, data) -> world.allToAll(direct.slice(0, 8), direct.slice(4, 8)),
                (world, data) -> world.allGather(direct.slice(1, 2), direct.slice(2 * world.rank(), 4)),
                (world, data) -> world.reduceScatter(data, IntBuffer.wrap(data, 0, 2), Op.SUM),
                (world, data) -> world.allReduce(IntBuffer.wrap(data, 0, 3), IntBuffer.wrap(data, 1, 3), Op.SUM));
    }

    @Test
    void ranksOutsideOfTheGroup() {
        refused(
                IllegalArgumentException.class,
                (world, data) -> world.bcast(data, 2),
                (world, data) -> world.bcast(data, 0, -1),
                (world, data) -> world.bcastUpTo(data, 2),
                (world, data) -> world.bcast(data, int[]::new, -1),
                (world, data) -> world.gather(data, data, 2),
                (world, data) -> world.scatter(data, data, -1),
                (world, data) -> world.reduce(data, data, Op.SUM, 2),
                (world, data) -> world.openStream(2),
                (world, data) -> world.openStream(0, StreamOptions.defaults().withWindow(1000)),
                (world, data) -> world.openStream(0, StreamOptions.defaults().withWindow(-1)),
                (world, data) -> world.openStream(0, StreamOptions.defaults().withDropAfter(Duration.ZERO)),
                (world, data) -> world.group(0, 2));
    }

    @Test
    void aClosedCommunicator() {
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                Communicator group = world.group(0, 2, 1).orElseThrow();
                group.allReduce(new int[800_000], Op.SUM);
                group.close();
                group.close();
                assertThatThrownBy(group::barrier)
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                            assertThat(failure.ranks()).containsExactly(world.rank());
                        })
                        .hasMessage("barrier: the communicator is closed");
                assertThatThrownBy(() -> group.split(0, 0)).hasMessageContaining("the communicator is closed");
                assertThatThrownBy(() -> group.openStream(0)).hasMessageContaining("the communicator is closed");
                // That of all nodes cannot be closed.
                world.close();
                world.barrier();
            });
        }
    }

    @Test
    void aJobThatWasLeft() {
        List<Communicator> left = new ArrayList<>();
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                synchronized (left) {
                    left.add(world);
                }
            });
        }
        for (Communicator world : left) {
            assertThatThrownBy(world::barrier).isInstanceOfSatisfying(RobberException.class, failure -> {
                assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                assertThat(failure).hasMessageContaining("has left the job itself");
            });
            assertThatThrownBy(() -> world.bcast(new int[800_000], 0)).hasMessageContaining("has left the job itself");
        }
    }
}
