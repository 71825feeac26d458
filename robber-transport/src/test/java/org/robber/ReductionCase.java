package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.robber.core.random.SeededRandom;

/**
 * A call that combines data. The model combines the numbers of ranks from left to right.
 *
 * @param operation an index into what {@link Combining#of} gives
 * @param count the number of elements, or of a reduceScatter the most of a block; even for pairs
 * @param wide whether integers have all their bits, or few values
 * @param inPlace whether the result takes the place of the data
 */
record ReductionCase(Kind kind, ElementForm form, int operation, int count, boolean wide, boolean inPlace, long seed)
        implements CollectiveCase {

    /** Calls that combine data. */
    enum Kind {
        REDUCE,
        ALL_REDUCE,
        REDUCE_SCATTER,
        REDUCE_SCATTER_BY_COUNTS,
        SCAN,
        EX_SCAN
    }

    static ReductionCase draw(SeededRandom random, int mostNodes, int mostBytes) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        ElementForm form = ElementForm.draw(random, Combining.types());
        int operation = random.nextInt(Combining.of(form.type()).size());
        boolean blocks = kind == Kind.REDUCE_SCATTER || kind == Kind.REDUCE_SCATTER_BY_COUNTS;
        // The model and users' operations are slow beside the rest.
        int most = mostBytes / 2 / form.type().bytes() / mostNodes / (blocks ? mostNodes : 1);
        int count = CollectiveCase.drawCount(random, most);
        return new ReductionCase(
                kind,
                form,
                operation,
                Combining.of(form.type()).get(operation).paired() ? 2 * ((count + 1) / 2) : count,
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextLong());
    }

    @Override
    public Optional<CollectiveCase> smaller() {
        int half = combining().paired() ? count / 4 * 2 : count / 2;
        return count == 0
                ? Optional.empty()
                : Optional.of(new ReductionCase(kind, form, operation, half, wide, inPlace, seed));
    }

    private Combining combining() {
        return Combining.of(form.type()).get(operation);
    }

    /** The numbers that a rank brings. */
    private long[] numbers(int rank, int size) {
        SeededRandom random = CollectiveCase.random(seed, rank);
        boolean integers = form.type() != ElementForm.Type.FLOAT && form.type() != ElementForm.Type.DOUBLE;
        long[] numbers = new long[size];
        Arrays.setAll(
                numbers,
                i -> wide && integers ? Combining.wrap(form.type(), random.nextLong()) : random.nextInt(5) - 2);
        return numbers;
    }

    /** The numbers of the ranks up to this one, combined. */
    private long[] combined(int endRank, int size) {
        long[] combined = numbers(0, size);
        for (int rank = 1; rank < endRank; rank++) {
            combining().model().combine(form.type(), combined, numbers(rank, size));
        }
        return combined;
    }

    private Object hold(long[] numbers) {
        byte[] image = new byte[numbers.length * form.type().bytes()];
        Buffer elements = form.type().view(ElementForm.ofImage(image));
        for (int i = 0; i < numbers.length; i++) {
            Combining.put(elements, i, numbers[i]);
        }
        return form.hold(image);
    }

    private Begun begun(Operation<Void> begun, Object data, long[] expected) {
        return new Begun(begun, () -> {
            Buffer elements = form.type().view(ElementForm.ofImage(form.image(data)));
            long[] actual = new long[elements.remaining()];
            Arrays.setAll(actual, i -> Combining.get(elements, i));
            assertThat(Arrays.mismatch(actual, expected))
                    .as(
                            "%s by %s: the first different element",
                            kind, combining().op())
                    .isEqualTo(-1);
        });
    }

    @Override
    public Begun begin(Communicator group) {
        int self = group.rank();
        int size = group.size();
        Op op = combining().op();
        if (kind == Kind.REDUCE_SCATTER || kind == Kind.REDUCE_SCATTER_BY_COUNTS) {
            return reduceScatter(group, op);
        }
        long[] own = numbers(self, count);
        Object in = hold(own);
        Object out = inPlace ? in : hold(new long[count]);
        switch (kind) {
            case REDUCE -> {
                int root = (int) Math.floorMod(seed, (long) size);
                return self == root
                        ? begun(group.iReduce(in, out, op, root), out, combined(size, count))
                        : begun(group.iReduce(in, null, op, root), in, own);
            }
            case ALL_REDUCE -> {
                Operation<Void> begun = inPlace ? group.iAllReduce(in, op) : group.iAllReduce(in, out, op);
                return begun(begun, out, combined(size, count));
            }
            case SCAN -> {
                return begun(group.iScan(in, out, op), out, combined(self + 1, count));
            }
            default -> {
                long[] before = inPlace ? own : new long[count];
                return begun(group.iExScan(in, out, op), out, self == 0 ? before : combined(self, count));
            }
        }
    }

    private Begun reduceScatter(Communicator group, Op op) {
        int[] counts = IntStream.range(0, group.size()).map(this::blockCount).toArray();
        int total = IntStream.of(counts).sum();
        int first = IntStream.of(counts).limit(group.rank()).sum();
        Object in = hold(numbers(group.rank(), total));
        Object out = hold(new long[counts[group.rank()]]);
        Operation<Void> begun = kind == Kind.REDUCE_SCATTER
                ? group.iReduceScatter(in, out, op)
                : group.iReduceScatter(in, out, counts, op);
        return begun(
                begun, out, Arrays.copyOfRange(combined(group.size(), total), first, first + counts[group.rank()]));
    }

    private int blockCount(int rank) {
        if (kind == Kind.REDUCE_SCATTER) {
            return count;
        }
        SeededRandom random = CollectiveCase.random(seed, rank, 1);
        int drawn = random.nextInt(4) == 0 ? 0 : random.nextInt(count + 1);
        return combining().paired() ? drawn / 2 * 2 : drawn;
    }

    @Override
    public String toString() {
        return kind + " of " + count + " " + form + " by " + combining().op() + (inPlace ? ", in place" : "")
                + (wide ? ", wide" : "") + ", seed " + seed;
    }
}
