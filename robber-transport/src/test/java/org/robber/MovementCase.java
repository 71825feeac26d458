package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.random.SeededRandom;

/**
 * A call that moves data. The model: rank {@code from} has a cell for rank {@code to}, and the call copies cells.
 *
 * @param mostCount the number of elements of each cell, or the most where counts differ
 * @param counted whether each cell has a size of its own, and places in buffers are any
 * @param roots how many roots there are, if the group has as many nodes; of a bcast only
 * @param inPlace whether an allGather finds a part in its place, if buffers can be cut
 */
record MovementCase(Kind kind, ElementForm form, int mostCount, boolean counted, int roots, boolean inPlace, long seed)
        implements CollectiveCase {

    /** Calls that move data. */
    enum Kind {
        BCAST,
        BCAST_UP_TO,
        BCAST_ALLOCATED,
        BCAST_STRIPED,
        ALL_GATHER,
        GATHER,
        SCATTER,
        ALL_TO_ALL
    }

    static MovementCase draw(SeededRandom random, int mostNodes, int mostBytes) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        ElementForm form = ElementForm.draw(random, List.of(ElementForm.Type.values()));
        int cells = kind == Kind.GATHER || kind == Kind.SCATTER ? mostNodes : mostNodes * mostNodes;
        boolean bcast = kind.name().startsWith("BCAST");
        int most = mostBytes / form.type().bytes() / (bcast ? mostNodes : cells);
        return new MovementCase(
                kind,
                form,
                CollectiveCase.drawCount(random, most),
                !bcast && random.nextBoolean(),
                random.nextBoolean() ? 1 : 1 + random.nextInt(mostNodes),
                random.nextBoolean(),
                random.nextLong());
    }

    @Override
    public Optional<CollectiveCase> smaller() {
        return mostCount == 0
                ? Optional.empty()
                : Optional.of(new MovementCase(kind, form, mostCount / 2, counted, roots, inPlace, seed));
    }

    @Override
    public Begun begin(Communicator group) {
        return switch (kind) {
            case BCAST -> bcast(group);
            case BCAST_UP_TO -> bcastUpTo(group);
            case BCAST_ALLOCATED -> bcastAllocated(group);
            case BCAST_STRIPED -> bcastStriped(group);
            case ALL_GATHER -> allGather(group);
            case GATHER -> gather(group);
            case SCATTER -> scatter(group);
            case ALL_TO_ALL -> allToAll(group);
        };
    }

    private int root(Communicator group) {
        return (int) Math.floorMod(seed, (long) group.size());
    }

    private int count(int from, int to) {
        if (!counted) {
            return mostCount;
        }
        SeededRandom random = CollectiveCase.random(seed, from, to);
        return random.nextInt(4) == 0 ? 0 : random.nextInt(mostCount + 1);
    }

    /** What one rank has for another. */
    private byte[] cell(int from, int to) {
        byte[] cell = new byte[count(from, to) * form.type().bytes()];
        new SplittableRandom(CollectiveCase.random(seed, from, to, 1).nextLong()).nextBytes(cell);
        return cell;
    }

    /** Places of cells in a buffer: one after the other, or in an order of this node's own with gaps between them. */
    private Parts places(int self, int size, IntUnaryOperator count) {
        int[] order = IntStream.range(0, size).toArray();
        int gap = 0;
        if (counted) {
            SeededRandom random = CollectiveCase.random(seed, self, size, 2);
            order = random.permutation(size);
            gap = random.nextInt(3);
        }
        long[] counts = new long[size];
        long[] displacements = new long[size];
        long next = gap;
        for (int rank : order) {
            counts[rank] = count.applyAsInt(rank);
            displacements[rank] = next;
            next += counts[rank] + gap;
        }
        return Parts.of(counts, displacements);
    }

    /** The image of a buffer with cells in their places, and the same everywhere else. */
    private byte[] whole(Parts places, IntFunction<byte @Nullable []> cell) {
        int bytes = form.type().bytes();
        byte[] whole = new byte[((int) places.end() + (counted ? 1 : 0)) * bytes];
        Arrays.fill(whole, (byte) 0x55);
        for (int rank = 0; rank < places.size(); rank++) {
            byte[] content = cell.apply(rank);
            if (content != null) {
                System.arraycopy(content, 0, whole, (int) places.displacement(rank) * bytes, content.length);
            }
        }
        return whole;
    }

    /** An image of this size that no call brings. */
    private byte[] blank(int count) {
        byte[] blank = new byte[count * form.type().bytes()];
        Arrays.fill(blank, (byte) 0x33);
        return blank;
    }

    private Begun begun(Operation<Void> operation, Object data, byte[] expected) {
        return new Begun(operation, () -> CollectiveCase.assertSame(kind.name(), form.image(data), expected));
    }

    private Begun bcast(Communicator group) {
        int[] chosen =
                Arrays.copyOf(CollectiveCase.random(seed).permutation(group.size()), Math.min(roots, group.size()));
        byte[] expected = cell(0, 0);
        boolean has = IntStream.of(chosen).anyMatch(rank -> rank == group.rank());
        Object data = form.hold(has ? expected : blank(mostCount));
        return begun(group.iBcast(data, chosen), data, expected);
    }

    /** Nodes have room for more than comes. */
    private Begun bcastUpTo(Communicator group) {
        int root = root(group);
        byte[] sent = cell(0, 0);
        boolean isRoot = group.rank() == root;
        byte[] expected = isRoot
                ? sent
                : blank(mostCount + CollectiveCase.random(seed, group.rank(), 3).nextInt(3));
        Object data = form.hold(expected);
        System.arraycopy(sent, 0, expected, 0, sent.length);
        Operation<Long> operation = group.iBcastUpTo(data, root);
        return new Begun(operation, () -> {
            assertThat(operation.await()).isEqualTo(mostCount);
            CollectiveCase.assertSame(kind.name(), form.image(data), expected);
        });
    }

    private Begun bcastAllocated(Communicator group) {
        int root = root(group);
        byte[] sent = cell(0, 0);
        Object data = group.rank() == root ? form.hold(sent) : null;
        Operation<?> operation = form.holder() == ElementForm.Holder.STORAGE
                ? group.iBcastStorage((Storage) data, count -> (Storage) form.hold(blank((int) count)), root)
                : group.iBcast(data, count -> form.hold(blank(count)), root);
        return new Begun(operation, () -> CollectiveCase.assertSame(kind.name(), form.image(operation.await()), sent));
    }

    /** Stripes of random places and owners. */
    private Begun bcastStriped(Communicator group) {
        byte[] expected = cell(0, 0);
        byte[] here = blank(mostCount);
        int bytes = form.type().bytes();
        SeededRandom random = CollectiveCase.random(seed, group.size(), 4);
        List<ElementRange> present = new ArrayList<>();
        int first = 0;
        for (int left = 20; first < mostCount; left--) {
            int end = left == 0 ? mostCount : first + 1 + random.nextInt(1 + random.nextInt(mostCount - first));
            int owner = random.nextInt(group.size());
            int other = random.nextInt(group.size());
            if (owner == group.rank() || other == group.rank()) {
                present.add(new ElementRange(first, end));
                System.arraycopy(expected, first * bytes, here, first * bytes, (end - first) * bytes);
            }
            first = end;
        }
        Object data = form.hold(here);
        return begun(group.iBcast(data, present), data, expected);
    }

    private Begun allGather(Communicator group) {
        int self = group.rank();
        Parts places = places(self, group.size(), rank -> count(rank, 0));
        boolean cut =
                inPlace && form.holder() != ElementForm.Holder.ARRAY && form.holder() != ElementForm.Holder.STORAGE;
        Object all = form.hold(whole(places, rank -> cut && rank == self ? cell(rank, 0) : null));
        Object part = cut
                ? ((Buffer) all)
                        .slice(((Buffer) all).position() + (int) places.displacement(self), (int) places.count(self))
                : form.hold(cell(self, 0));
        Operation<Void> operation = counted ? group.iAllGather(part, all, places) : group.iAllGather(part, all);
        return begun(operation, all, whole(places, rank -> cell(rank, 0)));
    }

    private Begun gather(Communicator group) {
        int root = root(group);
        Object part = form.hold(cell(group.rank(), root));
        if (group.rank() != root) {
            Operation<Void> operation =
                    counted ? group.iGather(part, null, null, root) : group.iGather(part, null, root);
            return begun(operation, part, cell(group.rank(), root));
        }
        Parts places = places(root, group.size(), rank -> count(rank, root));
        Object all = form.hold(whole(places, rank -> null));
        Operation<Void> operation = counted ? group.iGather(part, all, places, root) : group.iGather(part, all, root);
        return begun(operation, all, whole(places, rank -> cell(rank, root)));
    }

    private Begun scatter(Communicator group) {
        int root = root(group);
        int self = group.rank();
        Object part = form.hold(blank(count(root, self)));
        Parts places = places(root, group.size(), rank -> count(root, rank));
        Object all = self == root ? form.hold(whole(places, rank -> cell(root, rank))) : null;
        Operation<Void> operation = counted
                ? group.iScatter(all, self == root ? places : null, part, root)
                : group.iScatter(all, part, root);
        return begun(operation, part, cell(root, self));
    }

    private Begun allToAll(Communicator group) {
        int self = group.rank();
        Parts outPlaces = places(self, group.size(), rank -> count(self, rank));
        Parts inPlaces = places(self + group.size(), group.size(), rank -> count(rank, self));
        Object out = form.hold(whole(outPlaces, rank -> cell(self, rank)));
        Object in = form.hold(whole(inPlaces, rank -> null));
        Operation<Void> operation = counted ? group.iAllToAll(out, outPlaces, in, inPlaces) : group.iAllToAll(out, in);
        return begun(operation, in, whole(inPlaces, rank -> cell(rank, self)));
    }
}
