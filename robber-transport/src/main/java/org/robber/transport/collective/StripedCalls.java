package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.robber.Communicator;
import org.robber.ElementRange;
import org.robber.Operation;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.data.Elements;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Part;
import org.robber.transport.collective.data.Region;

/** A broadcast of data of which each member has some ranges. Members say which, and so all know the owners of each element. */
public final class StripedCalls {
    private final CallRunner runner;
    private final int rank;
    private final int size;

    public StripedCalls(CallRunner runner) {
        this.runner = runner;
        this.rank = runner.member().rank();
        this.size = runner.member().size();
    }

    /** As {@link Communicator#iBcast(Object, List)}. */
    public Operation<Void> bcast(Object data, List<ElementRange> present) {
        Elements elements = Elements.of("data", data);
        checkArgument(present != null, "present is null");
        checkArgument(present.size() <= Communicator.MOST_RANGES, "%s ranges are too many", present.size());
        for (ElementRange range : present) {
            checkArgument(range != null, "a range is null");
            checkArgument(range.end() <= elements.count(), "%s of %s elements", range, elements.count());
        }
        if (!covers(present, elements.count())) {
            elements.checkWritable("data");
        }
        String call = "bcast of the ranges that each has of " + elements.describe();
        long[] own = present.stream()
                .flatMapToLong(range -> Arrays.stream(new long[] {range.first(), range.end()}))
                .toArray();
        return runner.move(call, own, all -> new Movement(rank, size, parts(call, elements, all)));
    }

    private static boolean covers(List<ElementRange> present, long count) {
        long covered = 0;
        for (ElementRange range : present.stream()
                .sorted(Comparator.comparing(ElementRange::first))
                .toList()) {
            covered = range.first() <= covered ? Math.max(covered, range.end()) : covered;
        }
        return covered == count;
    }

    /** Where the range of a member begins or ends. */
    private record Edge(long element, int member, int change) {}

    /** Neighbouring elements with the same owners are one part. */
    private ImmutableList<Part> parts(String call, Elements elements, List<long[]> ranges) {
        List<Edge> edges = new ArrayList<>();
        for (int member = 0; member < size; member++) {
            long[] own = ranges.get(member);
            for (int i = 0; i < own.length; i += 2) {
                edges.add(new Edge(own[i], member, 1));
                edges.add(new Edge(own[i + 1], member, -1));
            }
        }
        edges.add(new Edge(elements.count(), 0, 0));
        edges.sort(Comparator.comparing(Edge::element));
        int[] rangesOpen = new int[size];
        TreeSet<Integer> owners = new TreeSet<>();
        ImmutableList.Builder<Part> parts = ImmutableList.builder();
        long from = 0;
        for (Edge edge : edges) {
            if (edge.element > from) {
                parts.add(part(call, elements, from, edge.element, ImmutableList.copyOf(owners)));
                from = edge.element;
            }
            rangesOpen[edge.member] += edge.change;
            if (rangesOpen[edge.member] > 0) {
                owners.add(edge.member);
            } else {
                owners.remove(edge.member);
            }
        }
        return parts.build();
    }

    private Part part(String call, Elements elements, long from, long end, ImmutableList<Integer> owners) {
        if (owners.isEmpty()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    call,
                    "no node has elements " + from + " to " + (end - 1) + " in '" + call + "'");
        }
        Region region = elements.part(from, end - from);
        boolean own = owners.contains(rank);
        return new Part(region.sizeBytes(), owners, null, own ? region : null, own ? null : region);
    }
}
