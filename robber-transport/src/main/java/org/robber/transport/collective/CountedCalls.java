package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.data.Elements;
import org.robber.transport.collective.data.Movements;
import org.robber.transport.collective.data.Region;

/**
 * The calls that move parts of different sizes. Each member says what it brings or expects; whoever knows the sizes of others compares. All methods
 * check their arguments before anything is sent.
 */
public final class CountedCalls {
    private final CallRunner runner;
    private final Movements movements;
    private final int rank;
    private final int size;

    public CountedCalls(CallRunner runner) {
        this.runner = runner;
        this.rank = runner.member().rank();
        this.size = runner.member().size();
        this.movements = new Movements(rank, size);
    }

    /** As {@link org.robber.Communicator#iAllGather(Object, Object, Parts)}. */
    public Operation<Void> allGather(Object part, Object all, Parts parts) {
        Elements own = Elements.of("part", part);
        Elements whole = received("all", all, parts);
        DataCalls.checkSameType(own, whole);
        checkOwn(own, parts);
        own.checkNotElsewhereIn(whole, parts.displacement(rank));
        String call = "allGather of " + own.type() + " by counts";
        return runner.move(call, new long[] {own.count()}, counts -> {
            checkCounts(call, counts, 0, parts);
            return movements.allGather(
                    each -> bytes(own, counts.get(each)[0]), own.all(), each -> slice(whole, parts, each));
        });
    }

    /** As {@link org.robber.Communicator#iGather(Object, Object, Parts, int)}. */
    public Operation<Void> gather(Object part, @Nullable Object all, @Nullable Parts parts, int root) {
        DataCalls.checkRoot(root, size);
        Elements own = Elements.of("part", part);
        Parts expected = rank == root ? given(parts) : null;
        Elements whole = expected == null ? null : received("all", all, expected);
        if (whole != null && expected != null) {
            DataCalls.checkSameType(own, whole);
            checkOwn(own, expected);
            own.checkNotElsewhereIn(whole, expected.displacement(rank));
        }
        String call = "gather to rank " + root + " of " + own.type() + " by counts";
        return runner.move(call, new long[] {own.count()}, counts -> {
            if (whole == null || expected == null) {
                return movements.gather(each -> bytes(own, counts.get(each)[0]), own.all(), null, root);
            }
            checkCounts(call, counts, 0, expected);
            return movements.gather(
                    each -> bytes(own, counts.get(each)[0]), own.all(), each -> slice(whole, expected, each), root);
        });
    }

    /** As {@link org.robber.Communicator#iScatter(Object, Parts, Object, int)}. */
    public Operation<Void> scatter(@Nullable Object all, @Nullable Parts parts, Object part, int root) {
        DataCalls.checkRoot(root, size);
        Elements own = Elements.of("part", part).checkWritable("part");
        Parts brought = rank == root ? given(parts) : null;
        Elements whole = brought == null ? null : sent("all", all, brought);
        if (whole != null && brought != null) {
            DataCalls.checkSameType(own, whole);
            checkOwn(own, brought);
            own.checkNotAcross(whole, brought.displacement(rank));
        }
        String call = "scatter from rank " + root + " of " + own.type() + " by counts";
        return runner.move(call, new long[] {own.count()}, counts -> {
            if (whole == null || brought == null) {
                return movements.scatter(each -> bytes(own, counts.get(each)[0]), null, own.all(), root);
            }
            checkCounts(call, counts, 0, brought);
            return movements.scatter(
                    each -> bytes(own, counts.get(each)[0]), each -> slice(whole, brought, each), own.all(), root);
        });
    }

    /** As {@link org.robber.Communicator#iAllToAll(Object, Parts, Object, Parts)}. */
    public Operation<Void> allToAll(Object out, Parts outParts, Object in, Parts inParts) {
        Elements from = sent("out", out, outParts);
        Elements to = received("in", in, inParts);
        DataCalls.checkSameType(from, to);
        checkArgument(!from.overlaps(to), "allToAll needs other memory to receive than to send");
        checkArgument(
                outParts.count(rank) == inParts.count(rank),
                "rank %s has %s elements for itself, and expects %s",
                rank,
                outParts.count(rank),
                inParts.count(rank));
        long[] own = new long[size];
        for (int each = 0; each < size; each++) {
            own[each] = outParts.count(each);
        }
        String call = "allToAll of " + from.type() + " by counts";
        return runner.move(call, own, counts -> {
            checkCounts(call, counts, rank, inParts);
            return movements.allToAll(
                    (source, target) -> bytes(from, counts.get(source)[target]),
                    each -> slice(from, outParts, each),
                    each -> slice(to, inParts, each));
        });
    }

    private static long bytes(Elements like, long count) {
        return Math.multiplyExact(count, like.type().bytes());
    }

    private static Region slice(Elements whole, Parts parts, int part) {
        return whole.part(parts.displacement(part), parts.count(part));
    }

    private static Parts given(@Nullable Parts parts) {
        checkArgument(parts != null, "the root needs the sizes of all parts");
        return parts;
    }

    private Elements sent(String name, @Nullable Object data, Parts parts) {
        Elements whole = Elements.of(name, data);
        checkArgument(parts != null, "%s: the sizes of its parts are null", name);
        checkArgument(parts.size() == size, "%s parts for %s nodes", parts.size(), size);
        checkArgument(
                parts.end() <= whole.count(),
                "%s: the parts end at element %s, of %s",
                name,
                parts.end(),
                whole.count());
        return whole;
    }

    private Elements received(String name, @Nullable Object data, Parts parts) {
        Elements whole = sent(name, data, parts).checkWritable(name);
        checkArgument(!parts.overlap(), "%s: parts that are received overlap: %s", name, parts);
        return whole;
    }

    private void checkOwn(Elements own, Parts parts) {
        checkArgument(
                own.count() == parts.count(rank),
                "the part of rank %s has %s elements, and %s by the counts",
                rank,
                own.count(),
                parts.count(rank));
    }

    /** Compares what each member has said, in this place, with what this node expects of it. */
    private void checkCounts(String call, List<long[]> counts, int place, Parts expected) {
        for (int each = 0; each < size; each++) {
            long said = counts.get(each)[place];
            if (said != expected.count(each)) {
                int theirs = runner.member().worldRank(each);
                int own = runner.member().worldRank(rank);
                throw new RobberException(
                        Reason.USAGE,
                        List.of(theirs, own),
                        call,
                        "the counts do not match in '" + call + "': rank " + theirs + " has " + said
                                + " elements where rank " + own + " counts " + expected.count(each));
            }
        }
    }
}
