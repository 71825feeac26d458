package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.Operation;
import org.robber.transport.collective.data.ArgumentHash;
import org.robber.transport.collective.data.Elements;
import org.robber.transport.collective.data.Movements;
import org.robber.transport.collective.data.Region;

/** The calls that move data of which all members know the sizes. All methods check their arguments before anything is sent. */
public final class DataCalls {
    private static final int MOST_NAMED_ROOTS = 16;

    private final CallRunner runner;
    private final Movements movements;
    private final int rank;
    private final int size;

    public DataCalls(CallRunner runner) {
        this.runner = runner;
        this.rank = runner.member().rank();
        this.size = runner.member().size();
        this.movements = new Movements(rank, size);
    }

    /** As {@link org.robber.Communicator#iBarrier}. */
    public Operation<Void> barrier() {
        return runner.move("barrier", movements.none());
    }

    /** As {@link org.robber.Communicator#iBcast}. */
    public Operation<Void> bcast(Object data, int... roots) {
        checkArgument(roots != null, "roots is null");
        ImmutableList<Integer> rootRanks = ImmutableList.copyOf(Ints.asList(roots));
        checkArgument(!rootRanks.isEmpty(), "no root");
        checkArgument(
                rootRanks.stream().distinct().count() == rootRanks.size(), "a root stands twice in %s", rootRanks);
        rootRanks.forEach(root -> checkRoot(root, size));
        Elements elements = Elements.of("data", data);
        if (!rootRanks.contains(rank)) {
            elements.checkWritable("data");
        }
        return runner.move(
                "bcast from " + name(rootRanks) + " of " + elements.describe(),
                movements.bcast(elements.all(), rootRanks));
    }

    /** As {@link org.robber.Communicator#iAllGather(Object, Object)}. */
    public Operation<Void> allGather(Object part, Object all) {
        Elements own = Elements.of("part", part);
        Elements whole = received(all, own);
        return runner.move(
                "allGather of " + own.describe() + " from each",
                movements.allGather(each -> own.all().sizeBytes(), own.all(), each -> slice(whole, each)));
    }

    /** As {@link org.robber.Communicator#iGather(Object, Object, int)}. */
    public Operation<Void> gather(Object part, @Nullable Object all, int root) {
        checkRoot(root, size);
        Elements own = Elements.of("part", part);
        Elements whole = rank == root ? received(all, own) : null;
        return runner.move(
                "gather to rank " + root + " of " + own.describe() + " from each",
                movements.gather(
                        each -> own.all().sizeBytes(),
                        own.all(),
                        whole == null ? null : each -> slice(whole, each),
                        root));
    }

    /** As {@link org.robber.Communicator#iScatter(Object, Object, int)}. */
    public Operation<Void> scatter(@Nullable Object all, Object part, int root) {
        checkRoot(root, size);
        Elements own = Elements.of("part", part).checkWritable("part");
        Elements whole = rank == root ? whole(Elements.of("all", all), own) : null;
        if (whole != null) {
            own.checkNotAcross(whole, rank * own.count());
        }
        return runner.move(
                "scatter from rank " + root + " of " + own.describe() + " to each",
                movements.scatter(
                        each -> own.all().sizeBytes(),
                        whole == null ? null : each -> slice(whole, each),
                        own.all(),
                        root));
    }

    /** As {@link org.robber.Communicator#iAllToAll(Object, Object)}. */
    public Operation<Void> allToAll(Object out, Object in) {
        Elements from = Elements.of("out", out);
        Elements to = Elements.of("in", in).checkWritable("in");
        checkSameType(from, to);
        checkArgument(
                from.count() == to.count() && from.count() % size == 0,
                "%s elements to send and %s to receive are not equal multiples of %s nodes",
                from.count(),
                to.count(),
                size);
        checkArgument(!from.overlaps(to), "allToAll needs other memory to receive than to send");
        long count = from.count() / size;
        return runner.move(
                "allToAll of " + count + " " + from.type() + " from each to each",
                movements.allToAll(
                        (source, target) -> count * from.type().bytes(),
                        each -> slice(from, each),
                        each -> slice(to, each)));
    }

    private Region slice(Elements whole, int part) {
        long count = whole.count() / size;
        return whole.part(part * count, count);
    }

    private Elements received(@Nullable Object all, Elements own) {
        Elements whole = whole(Elements.of("all", all).checkWritable("all"), own);
        own.checkNotElsewhereIn(whole, rank * own.count());
        return whole;
    }

    private Elements whole(Elements all, Elements part) {
        checkSameType(part, all);
        long count = Math.multiplyExact(part.count(), (long) size);
        checkArgument(
                count == all.count(),
                "the buffer for the data of all nodes holds %s elements; %s parts of %s are %s",
                all.count(),
                size,
                part.count(),
                count);
        return all;
    }

    static void checkSameType(Elements first, Elements second) {
        checkArgument(
                first.type() == second.type(),
                "one buffer has elements of type %s, the other of type %s",
                first.type(),
                second.type());
    }

    /** Fails if this is no rank of a group of that size. */
    public static void checkRoot(int root, int size) {
        checkArgument(root >= 0 && root < size, "root rank %s, of %s nodes", root, size);
    }

    /** The name of a call is short, so many ranks are told apart by their number and a hash. */
    private static String name(List<Integer> roots) {
        if (roots.size() == 1) {
            return "rank " + roots.get(0);
        }
        return roots.size() <= MOST_NAMED_ROOTS
                ? "ranks " + roots.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : roots.size() + " ranks (hash "
                        + ArgumentHash.of(roots.stream().mapToInt(Integer::intValue)) + ")";
    }
}
