package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Calls on data of all types, and with parts of different sizes, against what they mean. */
class TypedCollectivesTest {

    /** The ways in which users hold numbers. */
    private enum Kind {
        LONG_ARRAY,
        DOUBLE_ARRAY,
        INT_BUFFER,
        BIG_ENDIAN_LONGS,
        DIRECT_FLOATS,
        BYTES;

        /** So many elements with these small numbers in them. */
        Object of(int count, LongUnaryOperator value) {
            return switch (this) {
                case LONG_ARRAY -> LongStream.range(0, count).map(value).toArray();
                case DOUBLE_ARRAY ->
                    LongStream.range(0, count).map(value).asDoubleStream().toArray();
                case INT_BUFFER -> {
                    IntBuffer buffer = IntBuffer.allocate(count + 2).position(2);
                    IntStream.range(0, count).forEach(i -> buffer.put(i + 2, (int) value.applyAsLong(i)));
                    yield buffer;
                }
                case BIG_ENDIAN_LONGS -> {
                    LongBuffer buffer = ByteBuffer.allocate(count * Long.BYTES)
                            .order(ByteOrder.BIG_ENDIAN)
                            .asLongBuffer();
                    IntStream.range(0, count).forEach(i -> buffer.put(i, value.applyAsLong(i)));
                    yield buffer;
                }
                case DIRECT_FLOATS -> {
                    FloatBuffer buffer = ByteBuffer.allocateDirect(count * Float.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .asFloatBuffer();
                    IntStream.range(0, count).forEach(i -> buffer.put(i, (float) value.applyAsLong(i)));
                    yield buffer;
                }
                case BYTES -> {
                    byte[] bytes = new byte[count];
                    IntStream.range(0, count).forEach(i -> bytes[i] = (byte) value.applyAsLong(i));
                    yield bytes;
                }
            };
        }

        long[] numbers(Object data) {
            return switch (this) {
                case LONG_ARRAY -> (long[]) data;
                case DOUBLE_ARRAY -> {
                    DoubleBuffer buffer = DoubleBuffer.wrap((double[]) data);
                    yield LongStream.range(0, buffer.remaining())
                            .map(i -> (long) buffer.get((int) i))
                            .toArray();
                }
                case INT_BUFFER -> numbers((Buffer) data, i -> ((IntBuffer) data).get(i));
                case BIG_ENDIAN_LONGS -> numbers((Buffer) data, i -> ((LongBuffer) data).get(i));
                case DIRECT_FLOATS -> numbers((Buffer) data, i -> (long) ((FloatBuffer) data).get(i));
                case BYTES -> {
                    byte[] bytes = (byte[]) data;
                    yield LongStream.range(0, bytes.length)
                            .map(i -> bytes[(int) i])
                            .toArray();
                }
            };
        }

        private static long[] numbers(Buffer buffer, IntToLongFunction get) {
            return IntStream.range(buffer.position(), buffer.limit())
                    .mapToLong(get)
                    .toArray();
        }
    }

    /** What a call moves: how much from each to each, of which kind. */
    private record Sizes(Kind kind, int ranks, ImmutableList<ImmutableIntArray> counts, int gap) {

        static Sizes draw(SeededRandom random, int ranks) {
            Kind kind = ImmutableList.copyOf(Kind.values()).get(random.nextInt(Kind.values().length));
            int most = random.nextBoolean() ? 5 : 30_000;
            ImmutableList.Builder<ImmutableIntArray> counts = ImmutableList.builder();
            for (int from = 0; from < ranks; from++) {
                counts.add(ImmutableIntArray.copyOf(
                        IntStream.range(0, ranks).map(to -> random.nextInt(4) == 0 ? 0 : random.nextInt(most))));
            }
            return new Sizes(kind, ranks, counts.build(), random.nextInt(3));
        }

        /** Parts of these sizes, in the order of ranks from the last to the first, with gaps between them. */
        Parts parts(int... sizes) {
            long[] displacements = new long[ranks];
            long next = gap;
            for (int rank = ranks - 1; rank >= 0; rank--) {
                displacements[rank] = next;
                next += sizes[rank] + gap;
            }
            return Parts.of(IntStream.of(sizes).asLongStream().toArray(), displacements);
        }

        int[] row(int rank) {
            return counts.get(rank).toArray();
        }

        int[] column(int rank) {
            return IntStream.range(0, ranks)
                    .map(from -> counts.get(from).get(rank))
                    .toArray();
        }

        static long value(int from, int to, long index) {
            return (from * 31L + to * 7L + index * 3) % 100;
        }

        /** All parts in their places, zero in the gaps. */
        Object whole(Parts parts, ValueAt value) {
            long[] numbers = new long[(int) parts.end() + gap];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < parts.count(rank); i++) {
                    numbers[(int) parts.displacement(rank) + i] = value.at(rank, i);
                }
            }
            return kind.of(numbers.length, i -> numbers[(int) i]);
        }

        Object empty(Parts parts) {
            return whole(parts, (rank, index) -> 0);
        }
    }

    private interface ValueAt {
        long at(int rank, long index);
    }

    @Test
    void partsOfAnySizesComeToTheirPlaces() {
        SeededRuns.run(10, random -> {
            int clusters = 1 + random.nextInt(3);
            int nodes = 1 + random.nextInt(3);
            List<Sizes> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                calls.add(Sizes.draw(random, clusters * nodes));
            }
            int kind = random.nextInt(4);
            try (LocalJob job = Robber.local(clusters, nodes)) {
                job.run(world -> {
                    for (int i = 0; i < calls.size(); i++) {
                        check(world, calls.get(i), (kind + i) % 4);
                    }
                });
            }
        });
    }

    private static void check(Communicator world, Sizes sizes, int call) {
        int self = world.rank();
        int root = sizes.row(0)[0] % sizes.ranks();
        int[] toRoot = sizes.column(root);
        Kind kind = sizes.kind();
        Parts parts = sizes.parts(toRoot);
        Object part = kind.of(toRoot[self], i -> Sizes.value(self, root, i));
        Object expected = sizes.whole(parts, (rank, index) -> Sizes.value(rank, root, index));
        switch (call) {
            case 0 -> {
                Object all = sizes.empty(parts);
                world.allGather(part, all, parts);
                assertThat(kind.numbers(all)).isEqualTo(kind.numbers(expected));
            }
            case 1 -> {
                Object all = self == root ? sizes.empty(parts) : null;
                world.gather(part, all, self == root ? parts : null, root);
                if (all != null) {
                    assertThat(kind.numbers(all)).isEqualTo(kind.numbers(expected));
                }
            }
            case 2 -> {
                Object own = kind.of(toRoot[self], i -> 0);
                world.scatter(self == root ? expected : null, self == root ? parts : null, own, root);
                assertThat(kind.numbers(own)).isEqualTo(kind.numbers(part));
            }
            default -> {
                Parts out = sizes.parts(sizes.row(self));
                Parts in = sizes.parts(sizes.column(self));
                Object received = sizes.empty(in);
                Object sent = sizes.whole(out, (rank, index) -> Sizes.value(self, rank, index));
                world.allToAll(sent, out, received, in);
                assertThat(kind.numbers(received))
                        .isEqualTo(kind.numbers(sizes.whole(in, (rank, index) -> Sizes.value(rank, self, index))));
            }
        }
    }

    @Test
    void largeDataOfAllKindsAreBroadcast() {
        int count = 400_000;
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                for (Kind kind : Kind.values()) {
                    Object data = kind.of(count, i -> world.rank() == 3 ? i % 101 : 0);
                    world.bcast(data, 3);
                    assertThat(kind.numbers(data))
                            .as(kind.name())
                            .isEqualTo(
                                    LongStream.range(0, count).map(i -> i % 101).toArray());
                }
            });
        }
    }

    @Test
    void severalCallsAreUnderWayAtOnce() {
        int count = 240_000;
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                List<Operation<Void>> pending = new ArrayList<>();
                List<long[]> results = new ArrayList<>();
                for (int root = 0; root < world.size(); root++) {
                    long[] data = new long[count];
                    if (world.rank() == root) {
                        Arrays.setAll(data, i -> i * 5L + world.rank());
                    }
                    results.add(data);
                    pending.add(world.iBcast(data, root));
                }
                Operation<Void> barrier = world.iBarrier();
                pending.forEach(Operation::await);
                barrier.await();
                assertThat(barrier.test()).isTrue();
                assertThat(pending)
                        .allSatisfy(each -> assertThat(each.progress()).isEqualTo(1));
                for (int root = 0; root < world.size(); root++) {
                    int from = root;
                    assertThat(results.get(root))
                            .isEqualTo(LongStream.range(0, count)
                                    .map(i -> i * 5L + from)
                                    .toArray());
                }
            });
        }
    }

    @Test
    void countsThatDoNotMatchAreNamed() {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world ->
                            world.allGather(new int[3 + world.rank()], new int[10], Parts.of(3, 3 + world.rank()))))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure)
                                .hasMessageContaining(
                                        "the counts do not match in 'allGather of int by counts': rank 1 has 4"
                                                + " elements where rank 0 counts 3");
                    });
        }
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                int[] part = new int[2];
                assertRefused(() -> world.bcast(null, 0), "data is null");
                assertRefused(() -> world.bcast("text", 0), "data is java.lang.String; it must be");
                assertRefused(() -> world.bcast(new Integer[1], 0), "data is java.lang.Integer[]; it must be");
                assertRefused(() -> world.allGather(part, new long[4]), "elements of type int, the other of type long");
                assertRefused(() -> world.allGather(part, new int[4], Parts.of(2)), "1 parts for 2 nodes");
                assertRefused(() -> world.allGather(part, new int[4], Parts.of(2, 3)), "end at element 5, of 4");
                assertRefused(
                        () -> world.allGather(part, new int[4], Parts.of(new long[] {2, 2}, new long[] {0, 1})),
                        "parts that are received overlap");
                assertRefused(
                        () -> world.allGather(part, new int[4], Parts.of(1, 1)), "has 2 elements, and 1 by the counts");
                assertRefused(() -> Parts.of(1, -1), "part of rank 1: -1 elements");
                assertRefused(() -> Parts.of(new long[] {Long.MAX_VALUE, 1}), "part of rank 1");
                assertRefused(() -> Parts.of(new long[] {1, 2}, new long[] {Long.MAX_VALUE, 0}), "part of rank 0");
                assertRefused(() -> Parts.of(new long[] {1}, new long[] {0, 0}), "1 counts and 2 displacements");
                // The communicator is as good as before.
                world.barrier();
            });
        }
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
