package org.robber.transport.collective.personal;

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
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.personal.WantedResults.Wish;
import org.robber.transport.collective.reduce.Reduction;

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

    /** Which slice this node combines; negative if none. */
    private final int ownSlice;

    private final WantedResults wanted;

    /** The contributions of mates to the own slice of the range that the own cluster wants. */
    private ImmutableList<ByteBuffer> contributions = ImmutableList.of();

    /** The own slice of each range that clusters want, combined of all mates. */
    private final Map<VectorRange, ByteBuffer> combined = new HashMap<>();

    /** Results of the own slice, by the number of first ranks in them. */
    private final Map<Integer, ByteBuffer> results = new HashMap<>();

    private HierarchicalReduction(Reduction reduction, Topology topology) {
        this.reduction = reduction;
        this.rank = reduction.rank();
        this.topology = topology;
        this.ownCluster = topology.clusterOf(rank);
        this.mates = ImmutableList.copyOf(Ints.asList(topology.members(ownCluster)));
        this.wanted = new WantedResults(reduction, topology);
        int index = topology.indexInCluster(rank);
        this.ownSlice = index < wanted.combiners() ? index : -1;
    }

    /**
     * The steps of a reduction, if the ranks of each cluster are in a row.
     *
     * @param mostBytes of all vectors
     * @return null if the ranks are not in a row, if there are more bytes, or if one member would have too many for another
     */
    static @Nullable HierarchicalReduction of(Reduction reduction, Topology topology, long mostBytes) {
        boolean areInARow = IntStream.range(1, topology.size())
                .allMatch(rank -> topology.clusterOf(rank) >= topology.clusterOf(rank - 1));
        if (!areInARow || reduction.vectorBytes() > mostBytes / reduction.size()) {
            return null;
        }
        HierarchicalReduction steps = new HierarchicalReduction(reduction, topology);
        // The first slice of a range is its largest.
        return steps.wanted.sliceBytes(0) <= PersonalPayloads.MOST_BYTES ? steps : null;
    }

    /** The own slice of what the own cluster wants. */
    private VectorRange ownSlice() {
        return wanted.slice(wanted.ofCluster(ownCluster), ownSlice);
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

    private PersonalPayloads contributionsToCombiners() {
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        for (int slice = 0; slice < wanted.combiners(); slice++) {
            if (slice != ownSlice && wanted.sliceBytes(slice) > 0) {
                sent.add(new Outgoing(ImmutableList.of(mates.get(slice)), contribution(slice)));
            }
        }
        boolean isSentSome = ownSlice >= 0 && wanted.sliceBytes(ownSlice) > 0;
        return payloads(sent, isSentSome ? mates.stream() : Stream.empty());
    }

    /** The contribution of this node to a slice of all ranges, one after the other. */
    private ByteBuffer contribution(int slice) {
        List<VectorRange> slices = Lists.transform(wanted.ranges(), range -> wanted.slice(range, slice));
        if (slices.size() == 1) {
            return read(slices.get(0)).toBuffer();
        }
        ByteBuffer contribution = ByteBuffer.allocate(wanted.sliceBytes(slice));
        slices.forEach(each -> read(each).appendTo(contribution));
        return contribution.flip();
    }

    private Region read(VectorRange range) {
        return reduction.in().part(range.from(), range.size());
    }

    private void combineContributions(Map<Integer, ByteBuffer> received) {
        if (ownSlice < 0) {
            return;
        }
        ByteBuffer own = contribution(ownSlice);
        int at = 0;
        for (VectorRange range : wanted.ranges()) {
            int from = at;
            int length = wanted.slice(range, ownSlice).size();
            ImmutableList<ByteBuffer> vectors = mates.stream()
                    .map(mate -> received.getOrDefault(mate, own))
                    .map(bytes -> bytes.slice(bytes.position() + from, length))
                    .collect(ImmutableList.toImmutableList());
            combined.put(range, combine(vectors));
            if (range.equals(wanted.ofCluster(ownCluster))) {
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
        for (int cluster = 0; ownSlice >= 0 && cluster < topology.clusterCount(); cluster++) {
            VectorRange range = wanted.ofCluster(cluster);
            int combiner = topology.member(cluster, ownSlice);
            if (cluster != ownCluster
                    && wanted.needs(cluster, ownCluster)
                    && wanted.slice(range, ownSlice).size() > 0) {
                receivers.computeIfAbsent(range, first -> new ArrayList<>()).add(combiner);
            }
            if (wanted.needs(ownCluster, cluster) && ownSlice().size() > 0) {
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
        partials.put(ownCluster, combinedOf(wanted.ofCluster(ownCluster)));
        List<ByteBuffer> vectors = new ArrayList<>();
        int done = 0;
        for (int count : mates.stream()
                .map(reduction.contributors()::applyAsInt)
                .distinct()
                .sorted()
                .toList()) {
            while (done < count) {
                int cluster = topology.clusterOf(done);
                boolean isWhole = done == topology.member(cluster, 0) && wanted.end(cluster) <= count;
                vectors.add(
                        isWhole
                                ? Objects.requireNonNull(partials.get(cluster))
                                : contributions.get(topology.indexInCluster(done)));
                done = isWhole ? wanted.end(cluster) : done + 1;
            }
            if (count > 0) {
                ByteBuffer result = combine(vectors);
                results.put(count, result);
                vectors = new ArrayList<>(List.of(result));
            }
        }
    }

    private PersonalPayloads resultsToMates() {
        Map<Wish, List<Integer>> receivers = new LinkedHashMap<>();
        for (int mate : ownSlice < 0 ? ImmutableList.<Integer>of() : mates) {
            Wish wish = wanted.wish(mate, ownSlice);
            if (mate != rank && wish.range().size() > 0) {
                receivers.computeIfAbsent(wish, first -> new ArrayList<>()).add(mate);
            }
        }
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        receivers.forEach((wish, to) -> sent.add(new Outgoing(ImmutableList.copyOf(to), result(wish))));
        return payloads(
                sent,
                IntStream.range(0, wanted.combiners())
                        .filter(slice -> wanted.wish(rank, slice).range().size() > 0)
                        .mapToObj(mates::get));
    }

    private ByteBuffer result(Wish wish) {
        return Objects.requireNonNull(results.get(wish.contributors()))
                .slice(
                        (int) (wish.range().from() - ownSlice().from()),
                        wish.range().size());
    }

    private void placeResult(Map<Integer, ByteBuffer> received) {
        Region out = reduction.out();
        for (int slice = 0; out != null && slice < wanted.combiners(); slice++) {
            Wish wish = wanted.wish(rank, slice);
            if (wish.range().size() > 0) {
                ByteBuffer bytes =
                        slice == ownSlice ? result(wish) : Objects.requireNonNull(received.get(mates.get(slice)));
                out.part(
                                wish.range().from() - wanted.ofMember(rank).from(),
                                wish.range().size())
                        .fill(bytes, bytes.position());
            }
        }
    }

    private PersonalPayloads payloads(ImmutableList.Builder<Outgoing> sent, Stream<Integer> senders) {
        return new PersonalPayloads(
                sent.build(), senders.filter(each -> each != rank).collect(ImmutableSet.toImmutableSet()));
    }
}
