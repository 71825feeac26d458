package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.meeting.PersonalPayloads.Outgoing;
import org.robber.core.topology.Topology;

/**
 * A reduction among clusters, in three steps. Some members of each cluster, its combiners, have a slice each of what clusters want:
 *
 * <ol>
 *   <li>Members send each combiner of their cluster what they contribute to its slices.
 *   <li>The combiners of one slice send each other what they have combined.
 *   <li>Combiners send their mates what these want of the results.
 * </ol>
 *
 * <p>So a vector crosses each line once, in one trip. The order of combination is that of ranks: in each cluster first, whose ranks are in a row, and then by clusters.
 * In one cluster it is the reduce-scatter and gather of Rabenseifner, with direct messages.
 */
final class HierarchicalReduction implements PersonalSteps {
    private final Reduction reduction;
    private final int rank;
    private final Topology topology;
    private final int ownCluster;
    private final ImmutableList<Integer> mates;

    /** How many members of each cluster combine. */
    private final int combinerCount;

    /** Which slice this node combines; negative if none. */
    private final int ownSlice;

    /** What each member wants of the results. */
    private final ImmutableList<VectorRange> wantedByMember;

    /** The same of each cluster. */
    private final ImmutableList<VectorRange> wanted;

    /** The same without repetitions. */
    private final ImmutableList<VectorRange> ranges;

    /** What mates have contributed to the own slice of what the own cluster wants. */
    private ImmutableList<ByteBuffer> contributions = ImmutableList.of();

    /** What this node has combined of its slice of each range that clusters want. */
    private final Map<VectorRange, ByteBuffer> combined = new HashMap<>();

    /** Results of the own slice, by the number of first ranks in them. */
    private final Map<Integer, ByteBuffer> results = new HashMap<>();

    private HierarchicalReduction(Reduction reduction, Topology topology) {
        this.reduction = reduction;
        this.rank = reduction.rank();
        this.topology = topology;
        this.ownCluster = topology.clusterOf(rank);
        this.mates = ImmutableList.copyOf(Ints.asList(topology.members(ownCluster)));
        this.combinerCount = combinerCount(reduction, topology);
        int index = topology.indexInCluster(rank);
        this.ownSlice = index < combinerCount ? index : -1;
        this.wantedByMember = wantedByMembers(reduction);
        this.wanted = IntStream.range(0, topology.clusterCount())
                .mapToObj(this::wantedIn)
                .collect(ImmutableList.toImmutableList());
        this.ranges = ImmutableSet.copyOf(wanted).asList();
    }

    /**
     * The steps of a reduction, if the ranks of each cluster are in a row.
     *
     * @param mostBytes of all vectors
     * @return null if the ranks are not in a row, or if there are more bytes
     */
    static @Nullable HierarchicalReduction of(Reduction reduction, Topology topology, long mostBytes) {
        boolean areInARow = IntStream.range(1, topology.size())
                .allMatch(rank -> topology.clusterOf(rank) >= topology.clusterOf(rank - 1));
        return areInARow && reduction.vectorBytes() <= mostBytes / reduction.size()
                ? new HierarchicalReduction(reduction, topology)
                : null;
    }

    private static int combinerCount(Reduction reduction, Topology topology) {
        int smallest = IntStream.range(0, topology.clusterCount())
                .map(topology::clusterSize)
                .min()
                .orElseThrow();
        return (int) Math.max(1, Math.min(smallest, reduction.vectorBytes() / LEAST_SLICE_BYTES));
    }

    private static ImmutableList<VectorRange> wantedByMembers(Reduction reduction) {
        ImmutableList.Builder<VectorRange> wanted = ImmutableList.builder();
        long at = 0;
        for (int member = 0; member < reduction.size(); member++) {
            long bytes = reduction.ownBlock() < 0
                    ? reduction.vectorBytes()
                    : reduction.blocks().bytes().get(member);
            boolean wantsNothing = reduction.contributors().applyAsInt(member) == 0;
            wanted.add(wantsNothing ? VectorRange.EMPTY : VectorRange.of(at, bytes));
            at += reduction.ownBlock() < 0 ? 0 : bytes;
        }
        return wanted.build();
    }

    private VectorRange wantedIn(int cluster) {
        return IntStream.of(topology.members(cluster))
                .mapToObj(wantedByMember::get)
                .reduce(VectorRange.EMPTY, VectorRange::span);
    }

    private int contributors(int member) {
        return reduction.contributors().applyAsInt(member);
    }

    private VectorRange slice(VectorRange range, int slice) {
        return range.slice(slice, combinerCount);
    }

    /** The own slice of what the own cluster wants. */
    private VectorRange ownSlice() {
        return slice(wanted.get(ownCluster), ownSlice);
    }

    /** The rank after the last of a cluster. */
    private int end(int cluster) {
        return topology.member(cluster, topology.clusterSize(cluster) - 1) + 1;
    }

    /** Whether results of a cluster have all of another one in them. */
    private boolean needs(int cluster, int other) {
        return IntStream.of(topology.members(cluster)).anyMatch(member -> contributors(member) >= end(other));
    }

    @Override
    public int count() {
        return 3;
    }

    @Override
    public PersonalPayloads payloads(int step) {
        return switch (step) {
            case 0 -> contributionsToCombiners();
            case 1 -> partialResultsToClusters();
            default -> resultsToMates();
        };
    }

    @Override
    public void take(int step, Map<Integer, ByteBuffer> received) {
        switch (step) {
            case 0 -> combineContributions(received);
            case 1 -> combineClusters(received);
            default -> placeResult(received);
        }
    }

    /** The same slice of each range that clusters want. */
    private List<VectorRange> slices(int slice) {
        return Lists.transform(ranges, range -> slice(range, slice));
    }

    private int sliceBytes(int slice) {
        int bytes = 0;
        for (VectorRange range : ranges) {
            bytes += slice(range, slice).size();
        }
        return bytes;
    }

    private PersonalPayloads contributionsToCombiners() {
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        for (int slice = 0; slice < combinerCount; slice++) {
            if (slice != ownSlice && sliceBytes(slice) > 0) {
                sent.add(new Outgoing(ImmutableList.of(mates.get(slice)), contribution(slice)));
            }
        }
        boolean isSentSome = ownSlice >= 0 && sliceBytes(ownSlice) > 0;
        return payloads(sent, isSentSome ? mates.stream() : Stream.empty());
    }

    /** What this node contributes to a slice of all ranges, one after the other. */
    private ByteBuffer contribution(int slice) {
        List<VectorRange> slices = slices(slice);
        if (slices.size() == 1) {
            return reduction
                    .in()
                    .part(slices.get(0).from(), slices.get(0).size())
                    .toBuffer();
        }
        ByteBuffer contribution = ByteBuffer.allocate(sliceBytes(slice));
        slices.forEach(each -> reduction.in().part(each.from(), each.size()).appendTo(contribution));
        return contribution.flip();
    }

    private void combineContributions(Map<Integer, ByteBuffer> received) {
        if (ownSlice < 0) {
            return;
        }
        ByteBuffer own = contribution(ownSlice);
        int at = 0;
        for (VectorRange range : ranges) {
            int from = at;
            int length = slice(range, ownSlice).size();
            ImmutableList<ByteBuffer> vectors = mates.stream()
                    .map(mate -> received.getOrDefault(mate, own))
                    .map(bytes -> bytes.slice(bytes.position() + from, length))
                    .collect(ImmutableList.toImmutableList());
            combined.put(range, combine(vectors));
            if (range.equals(wanted.get(ownCluster))) {
                contributions = vectors;
            }
            at += length;
        }
    }

    private ByteBuffer combine(List<ByteBuffer> vectors) {
        if (vectors.size() == 1) {
            return vectors.get(0).slice();
        }
        ByteBuffer result = ByteBuffer.allocate(vectors.get(0).remaining());
        reduction.combine(vectors, result);
        return result;
    }

    private PersonalPayloads partialResultsToClusters() {
        Map<VectorRange, List<Integer>> receivers = new LinkedHashMap<>();
        List<Integer> senders = new ArrayList<>();
        for (int cluster = 0; ownSlice >= 0 && cluster < wanted.size(); cluster++) {
            VectorRange range = wanted.get(cluster);
            int combiner = topology.member(cluster, ownSlice);
            if (cluster != ownCluster
                    && needs(cluster, ownCluster)
                    && slice(range, ownSlice).size() > 0) {
                receivers.computeIfAbsent(range, first -> new ArrayList<>()).add(combiner);
            }
            if (needs(ownCluster, cluster) && ownSlice().size() > 0) {
                senders.add(combiner);
            }
        }
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        receivers.forEach((range, to) -> sent.add(new Outgoing(ImmutableList.copyOf(to), combinedOf(range))));
        return payloads(sent, senders.stream());
    }

    private ByteBuffer combinedOf(VectorRange range) {
        return Objects.requireNonNull(combined.get(range)).duplicate();
    }

    /** Makes all results that mates want of the own slice, so that a combination that fails does so before this node has its own. */
    private void combineClusters(Map<Integer, ByteBuffer> received) {
        if (ownSlice < 0 || ownSlice().size() == 0) {
            return;
        }
        Map<Integer, ByteBuffer> partials = new HashMap<>();
        received.forEach((from, partial) -> partials.put(topology.clusterOf(from), partial));
        partials.put(ownCluster, combinedOf(wanted.get(ownCluster)));
        List<ByteBuffer> vectors = new ArrayList<>();
        int done = 0;
        for (int count :
                mates.stream().map(this::contributors).distinct().sorted().toList()) {
            while (done < count) {
                int cluster = topology.clusterOf(done);
                boolean isWhole = done == topology.member(cluster, 0) && end(cluster) <= count;
                vectors.add(
                        isWhole
                                ? Objects.requireNonNull(partials.get(cluster))
                                : contributions.get(topology.indexInCluster(done)));
                done = isWhole ? end(cluster) : done + 1;
            }
            if (count > 0) {
                ByteBuffer result = combine(vectors);
                results.put(count, result);
                vectors = new ArrayList<>(List.of(result));
            }
        }
    }

    /**
     * What mates want of a result.
     *
     * @param contributors the number of first ranks in it
     */
    private record Wish(VectorRange range, int contributors) {}

    private Wish wishOf(int slice, int mate) {
        return new Wish(slice(wanted.get(ownCluster), slice).common(wantedByMember.get(mate)), contributors(mate));
    }

    private PersonalPayloads resultsToMates() {
        Map<Wish, List<Integer>> receivers = new LinkedHashMap<>();
        for (int mate : ownSlice < 0 ? ImmutableList.<Integer>of() : mates) {
            Wish wish = wishOf(ownSlice, mate);
            if (mate != rank && wish.range.size() > 0) {
                receivers.computeIfAbsent(wish, first -> new ArrayList<>()).add(mate);
            }
        }
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        receivers.forEach((wish, to) -> sent.add(new Outgoing(ImmutableList.copyOf(to), result(wish))));
        return payloads(
                sent,
                IntStream.range(0, combinerCount)
                        .filter(slice -> wishOf(slice, rank).range.size() > 0)
                        .mapToObj(mates::get));
    }

    private ByteBuffer result(Wish wish) {
        return Objects.requireNonNull(results.get(wish.contributors))
                .slice((int) (wish.range.from() - ownSlice().from()), wish.range.size());
    }

    private void placeResult(Map<Integer, ByteBuffer> received) {
        Region out = reduction.out();
        for (int slice = 0; out != null && slice < combinerCount; slice++) {
            Wish wish = wishOf(slice, rank);
            if (wish.range.size() > 0) {
                ByteBuffer bytes =
                        slice == ownSlice ? result(wish) : Objects.requireNonNull(received.get(mates.get(slice)));
                out.part(wish.range.from() - wantedByMember.get(rank).from(), wish.range.size())
                        .fill(bytes, bytes.position());
            }
        }
    }

    private PersonalPayloads payloads(ImmutableList.Builder<Outgoing> sent, Stream<Integer> senders) {
        return new PersonalPayloads(
                sent.build(), senders.filter(each -> each != rank).collect(ImmutableSet.toImmutableSet()));
    }
}
