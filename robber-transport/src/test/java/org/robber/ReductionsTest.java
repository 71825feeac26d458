package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Reductions against loops over the data of all ranks. */
class ReductionsTest {
    /** Multiplies matrices of 2 x 2: the order of factors counts, and elements depend on one another. */
    private static final Op MATRIX = Op.of("matrix", /* commutative= */ false, ReductionsTest::multiply);

    private static void multiply(Buffer left, Buffer right) {
        IntBuffer a = (IntBuffer) left;
        IntBuffer b = (IntBuffer) right;
        for (int i = 0; i < a.limit(); i += 4) {
            int[] product = {
                a.get(i) * b.get(i) + a.get(i + 1) * b.get(i + 2),
                a.get(i) * b.get(i + 1) + a.get(i + 1) * b.get(i + 3),
                a.get(i + 2) * b.get(i) + a.get(i + 3) * b.get(i + 2),
                a.get(i + 2) * b.get(i + 1) + a.get(i + 3) * b.get(i + 3)
            };
            for (int j = 0; j < 4; j++) {
                a.put(i + j, product[j]);
            }
        }
    }

    private record Operator(Op op, LongBinaryOperator model) {}

    private static final List<Operator> OPERATORS = List.of(
            new Operator(Op.SUM, Long::sum),
            new Operator(Op.PROD, (a, b) -> a * b),
            new Operator(Op.MIN, Math::min),
            new Operator(Op.MAX, Math::max),
            new Operator(Op.AND, (a, b) -> a & b),
            new Operator(Op.OR, (a, b) -> a | b),
            new Operator(Op.XOR, (a, b) -> a ^ b),
            new Operator(Op.ofLongs("gcd", true, ReductionsTest::gcd), ReductionsTest::gcd),
            new Operator(Op.ofLongs("left", false, (a, b) -> a), (a, b) -> a));

    private static long gcd(long a, long b) {
        return b == 0 ? Math.abs(a) : gcd(b, a % b);
    }

    /** One call on longs. */
    private record Call(int kind, Operator operator, int count, long seed, int root, boolean inPlace) {
        static Call draw(SeededRandom random, int ranks) {
            int count = random.nextBoolean() ? random.nextInt(6) : random.nextInt(40_000);
            return new Call(
                    random.nextInt(5),
                    OPERATORS.get(random.nextInt(OPERATORS.size())),
                    count,
                    random.nextLong(),
                    random.nextInt(ranks),
                    random.nextBoolean());
        }

        long[] of(int rank, int size) {
            return new Random(seed + rank).longs(size).toArray();
        }

        /** The data of these ranks, combined from left to right. */
        long[] combined(int fromRank, int endRank, int size) {
            long[] all = of(fromRank, size);
            for (int rank = fromRank + 1; rank < endRank; rank++) {
                long[] next = of(rank, size);
                Arrays.setAll(all, i -> operator.model.applyAsLong(all[i], next[i]));
            }
            return all;
        }
    }

    @Test
    void everyReductionDoesWhatItMeans() {
        SeededRuns.run(12, random -> {
            int clusters = 1 + random.nextInt(4);
            int nodes = 1 + random.nextInt(3);
            int ranks = clusters * nodes;
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                calls.add(Call.draw(random, ranks));
            }
            try (LocalJob job = Robber.local(clusters, nodes)) {
                job.run(world -> calls.forEach(call -> check(world, call)));
            }
        });
    }

    private static void check(Communicator world, Call call) {
        int self = world.rank();
        int count = call.count;
        Op op = call.operator.op;
        long[] in = call.of(self, count);
        long[] out = call.inPlace ? in : new long[count];
        switch (call.kind) {
            case 0 -> {
                world.reduce(in, self == call.root ? out : null, op, call.root);
                if (self == call.root) {
                    assertThat(out).isEqualTo(call.combined(0, world.size(), count));
                }
            }
            case 1 -> {
                world.allReduce(in, out, op);
                assertThat(out).isEqualTo(call.combined(0, world.size(), count));
            }
            case 2 -> {
                world.scan(in, out, op);
                assertThat(out).isEqualTo(call.combined(0, self + 1, count));
            }
            case 3 -> {
                long[] before = out.clone();
                world.exScan(in, out, op);
                assertThat(out).isEqualTo(self == 0 ? before : call.combined(0, self, count));
            }
            default -> {
                int[] counts = IntStream.range(0, world.size())
                        .map(rank -> rank % 3 == 1 ? 0 : count / (rank + 1))
                        .toArray();
                int total = IntStream.of(counts).sum();
                int first = IntStream.of(counts).limit(self).sum();
                long[] block = new long[counts[self]];
                world.reduceScatter(call.of(self, total), block, counts, op);
                assertThat(block)
                        .isEqualTo(
                                Arrays.copyOfRange(call.combined(0, world.size(), total), first, first + counts[self]));
            }
        }
    }

    /** A result may take the place of its contribution, also in views that do not show that they are of one memory. */
    @Test
    void resultsTakeThePlaceOfViewsOfOneMemory() {
        int count = 100_000;
        for (boolean direct : new boolean[] {false, true}) {
            try (LocalJob job = Robber.local(2, 2)) {
                job.run(world -> {
                    Call call = new Call(3, OPERATORS.get(0), count, 5, 0, /* inPlace= */ true);
                    int self = world.rank();
                    ByteBuffer memory = direct
                            ? ByteBuffer.allocateDirect(count * Long.BYTES)
                            : ByteBuffer.allocate(count * Long.BYTES);
                    long[] result = new long[count];
                    LongBuffer view = memory.order(ByteOrder.nativeOrder()).asLongBuffer();
                    view.duplicate().put(call.of(self, count));
                    world.scan(memory.asLongBuffer().asReadOnlyBuffer(), view, call.operator.op);
                    view.get(0, result);
                    assertThat(result).isEqualTo(call.combined(0, self + 1, count));

                    view.duplicate().put(call.of(self, count));
                    world.exScan(memory.asLongBuffer().asReadOnlyBuffer(), view, call.operator.op);
                    view.get(0, result);
                    assertThat(result).isEqualTo(self == 0 ? call.of(0, count) : call.combined(0, self, count));

                    view.duplicate().put(call.of(self, count));
                    world.allReduce(memory.asLongBuffer().asReadOnlyBuffer(), view, call.operator.op);
                    view.get(0, result);
                    assertThat(result).isEqualTo(call.combined(0, world.size(), count));
                });
            }
        }
    }

    @Test
    void numbersOfAllTypesAreCombined() {
        for (int count : new int[] {3, 60_000}) {
            try (LocalJob job = Robber.local(2, 2)) {
                job.run(world -> {
                    int self = world.rank();
                    float[] floats = new float[count];
                    double[] doubles = new double[count];
                    byte[] bytes = new byte[count];
                    IntBuffer ints = ByteBuffer.allocateDirect(count * Integer.BYTES)
                            .order(ByteOrder.nativeOrder())
                            .asIntBuffer();
                    for (int i = 0; i < count; i++) {
                        floats[i] = (self + 1) * (i % 9);
                        doubles[i] = -self * (double) i;
                        bytes[i] = (byte) (self * 100);
                        ints.put(i, i << self);
                    }
                    world.allReduce(floats, Op.PROD);
                    world.allReduce(doubles, Op.MIN);
                    world.allReduce(bytes, Op.SUM);
                    world.allReduce(ints, Op.OR);
                    for (int i = 0; i < count; i++) {
                        float power = i % 9;
                        assertThat(floats[i]).isEqualTo(24 * power * power * power * power);
                        assertThat(doubles[i]).isEqualTo(-3.0 * i);
                        assertThat(bytes[i]).isEqualTo((byte) 600);
                        assertThat(ints.get(i)).isEqualTo(i | i << 1 | i << 2 | i << 3);
                    }
                });
            }
        }
    }

    @Test
    void theSmallestAndLargestAreLocated() {
        for (int pairs : new int[] {2, 30_000}) {
            try (LocalJob job = Robber.local(2, 2)) {
                job.run(world -> {
                    int[] smallest = new int[2 * pairs];
                    double[] largest = new double[2 * pairs];
                    for (int i = 0; i < pairs; i++) {
                        smallest[2 * i] = (world.rank() + i) % 3;
                        smallest[2 * i + 1] = world.rank();
                        largest[2 * i] = (world.rank() + i) % 3;
                        largest[2 * i + 1] = world.rank();
                    }
                    world.allReduce(smallest, Op.MIN_LOC);
                    world.allReduce(largest, Op.MAX_LOC);
                    for (int i = 0; i < pairs; i++) {
                        // Ranks 0 and 3 have the same value; the smaller location wins.
                        assertThat(smallest[2 * i]).isZero();
                        assertThat(smallest[2 * i + 1]).isEqualTo((3 - i % 3) % 3);
                        assertThat(largest[2 * i]).isEqualTo(2);
                        assertThat(largest[2 * i + 1]).isEqualTo((5 - i % 3) % 3);
                    }
                });
            }
        }
    }

    @Test
    void factorsKeepTheirOrder() {
        int count = 4 * 5_000;
        try (LocalJob job = Robber.local(3, 2)) {
            job.run(world -> {
                // Ranks of one cluster are not next to each other.
                Communicator mixed = world.split(0, world.rank() % 2).orElseThrow();
                int[] data = new Random(mixed.rank()).ints(count, -5, 6).toArray();
                mixed.allReduce(data, MATRIX);
                int[] expected = new Random(0).ints(count, -5, 6).toArray();
                for (int rank = 1; rank < mixed.size(); rank++) {
                    multiply(
                            IntBuffer.wrap(expected),
                            IntBuffer.wrap(new Random(rank).ints(count, -5, 6).toArray()));
                }
                assertThat(data).isEqualTo(expected);
            });
        }
    }

    /** Whether a slice is sent as a message or in pieces depends on its size. */
    @ParameterizedTest
    @CsvSource({"1, 2", "1, 3", "2, 1", "3, 1", "2, 2"})
    void aFewNodesReduceMebibytes(int clusters, int nodes) {
        Op xor = Op.ofLongs("mine", true, (a, b) -> a ^ b);
        try (LocalJob job = Robber.local(clusters, nodes)) {
            job.run(world -> {
                for (int mebibytes = 1; mebibytes <= 9; mebibytes++) {
                    int count = mebibytes << 17;
                    long[] data = new Random(world.rank()).longs(count).toArray();
                    long[] expected = new long[count];
                    for (int rank = 0; rank < world.size(); rank++) {
                        long[] more = new Random(rank).longs(count).toArray();
                        Arrays.setAll(expected, i -> expected[i] ^ more[i]);
                    }
                    world.allReduce(data, xor);
                    assertThat(data).isEqualTo(expected);
                }
            });
        }
    }

    @Test
    void sumsHaveTheSameBitsEachTimeAndEverywhere() {
        Map<Integer, Long> hashes = new ConcurrentHashMap<>();
        for (int run = 0; run < 3; run++) {
            int number = run;
            try (LocalJob job = Robber.local(2, 3)) {
                job.run(world -> {
                    double[] data = new Random(world.rank())
                            .doubles(50_000)
                            .map(x -> Math.pow(10, 20 * x))
                            .toArray();
                    world.allReduce(data, Op.SUM);
                    long hash = Arrays.hashCode(data);
                    assertThat(hashes.putIfAbsent(number, hash)).isIn(null, hash);
                });
            }
        }
        assertThat(hashes).hasSize(3);
        assertThat(hashes.values()).containsOnly(hashes.get(0));
    }

    @Test
    void anOperationThatThrowsEndsTheJobAndIsNamed() {
        Op bad = Op.ofInts("division", true, (a, b) -> a / b);
        for (int count : new int[] {1, 50_000}) {
            try (LocalJob job = Robber.local(2, 2)) {
                assertThatThrownBy(() -> job.run(world -> world.allReduce(new int[count], bad)))
                        .isInstanceOfSatisfying(RobberException.class, failure -> {
                            assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.USAGE);
                            assertThat(failure)
                                    .hasMessageContaining("the operation 'division' has failed")
                                    .hasMessageContaining("/ by zero");
                        });
            }
        }
    }

    @Test
    void anOperationThatThrowsInAGroupNamesARankOfTheJob() {
        Op bad = Op.ofInts("division", true, (a, b) -> a / b);
        try (LocalJob job = Robber.local(1, 4)) {
            assertThatThrownBy(() ->
                            job.run(world -> world.group(3, 2).ifPresent(group -> group.allReduce(new int[1], bad))))
                    .isInstanceOfSatisfying(
                            RobberException.class,
                            failure -> assertThat(failure.ranks()).hasSize(1).isSubsetOf(2, 3));
        }
    }

    @Test
    void differentOperationsAreNamed() {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() ->
                            job.run(world -> world.allReduce(new int[50_000], world.rank() == 0 ? Op.SUM : Op.MAX)))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                        assertThat(failure)
                                .hasMessageContaining("allReduce by sum of 50000 int")
                                .hasMessageContaining("allReduce by max of 50000 int");
                    });
        }
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                int[] data = new int[4];
                assertRefused(() -> world.allReduce(data, null), "op is null");
                assertRefused(
                        () -> world.allReduce(new float[1], Op.AND), "'and' does not combine elements of type float");
                assertRefused(
                        () -> world.allReduce(new char[1], Op.SUM), "'sum' does not combine elements of type char");
                assertRefused(() -> world.allReduce(new int[1], Op.MIN_LOC), "1 elements are no pairs");
                assertRefused(() -> world.allReduce(data, new int[3], Op.SUM), "in has 4 elements, and out 3");
                assertRefused(() -> world.allReduce(data, new long[4], Op.SUM), "type int, the other of type long");
                assertRefused(
                        () -> world.allReduce(
                                IntBuffer.wrap(data, 0, 3).slice(),
                                IntBuffer.wrap(data, 1, 3).slice(),
                                Op.SUM),
                        "out must be in, or other memory");
                assertRefused(() -> world.reduceScatter(data, new int[2], new int[] {1, 2}, Op.SUM), "add up to 3");
                assertRefused(() -> world.reduceScatter(data, new int[2], new int[] {5, -1}, Op.SUM), "counts");
                assertRefused(() -> world.reduceScatter(new int[3], new int[2], Op.SUM), "no multiple of 2 nodes");
                assertRefused(() -> world.reduceScatter(data, new int[3], Op.SUM), "3 elements for a block of 2");
                if (world.rank() == 0) {
                    assertRefused(() -> world.reduce(data, null, Op.SUM, 0), "out is null");
                }
                // The communicator is as good as before.
                long[] sum = LongStream.of(world.rank(), 1).toArray();
                world.allReduce(sum, Op.SUM);
                assertThat(sum).containsExactly(1, 2);
            });
        }
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
