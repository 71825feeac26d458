package org.robber.transport.collective.personal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.Op;
import org.robber.Storage;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.data.ElementType;
import org.robber.transport.collective.data.Movement;
import org.robber.transport.collective.data.Movements;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.reduce.Combination;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.reduce.Reduction.BlockSizes;

/** Steps of all members of a call, whose messages arrive as they are sent. */
class PersonalStepsTest {
    private static final long ANY_BYTES = 1L << 40;

    private static final Op AFTER = Op.ofLongs("after", false, PersonalStepsTest::after);

    /** Associative and not commutative: the halves of a number are a and b of x -> a x + b. */
    private static long after(long first, long second) {
        int a = (int) first * (int) second;
        int b = (int) first * (int) (second >> 32) + (int) (first >> 32);
        return ((long) b << 32) | (a & 0xFFFFFFFFL);
    }

    private static Topology drawTopology(SeededRandom random) {
        return Topology.ofSizes(IntStream.range(0, 2 + random.nextInt(3))
                .map(cluster -> 1 + random.nextInt(4))
                .toArray());
    }

    private static byte[] bytes(SeededRandom random, int count) {
        byte[] bytes = new byte[count];
        new Random(random.nextLong()).nextBytes(bytes);
        return bytes;
    }

    private static Region region(byte[] bytes) {
        return new Region(Storage.of(ByteBuffer.wrap(bytes)), 0, bytes.length);
    }

    /** Runs all members to the end. Returns the bytes that each cluster has sent each other one. */
    private static Map<List<Integer>, Long> run(Topology topology, IntFunction<PersonalSteps> stepsOf) {
        List<PersonalSteps> members =
                IntStream.range(0, topology.size()).mapToObj(stepsOf).toList();
        Map<List<Integer>, Long> bytesOfPairs = new HashMap<>();
        for (int step = 0; step < members.get(0).count(); step++) {
            List<ImmutableSet<Integer>> expected = new ArrayList<>();
            List<Map<Integer, ByteBuffer>> received = new ArrayList<>();
            members.forEach(member -> received.add(new TreeMap<>()));
            for (int rank = 0; rank < members.size(); rank++) {
                PersonalPayloads payloads = members.get(rank).payloads(step);
                expected.add(payloads.expectedFrom());
                for (PersonalPayloads.Outgoing outgoing : payloads.sent()) {
                    for (int to : outgoing.to()) {
                        ByteBuffer copy = ByteBuffer.allocate(outgoing.payload().remaining());
                        copy.put(outgoing.payload().duplicate()).flip();
                        assertThat(received.get(to).put(rank, copy)).isNull();
                        bytesOfPairs.merge(
                                List.of(topology.clusterOf(rank), topology.clusterOf(to)),
                                (long) copy.remaining(),
                                Long::sum);
                    }
                }
            }
            for (int rank = 0; rank < members.size(); rank++) {
                assertThat(received.get(rank).keySet())
                        .as("step %s of rank %s", step, rank)
                        .isEqualTo(expected.get(rank));
                members.get(rank).take(step, received.get(rank));
            }
        }
        return bytesOfPairs;
    }

    private static PersonalMovement between(Movement movement, Topology topology) {
        return Objects.requireNonNull(PersonalMovement.of(movement, topology, ANY_BYTES, ANY_BYTES, ANY_BYTES));
    }

    @Test
    void aBcastEntersEachClusterOnce() {
        SeededRuns.run(200, random -> {
            Topology topology = drawTopology(random);
            int root = random.nextInt(topology.size());
            byte[] data = bytes(random, 1 + random.nextInt(100_000));
            List<byte[]> places = new ArrayList<>();
            Map<List<Integer>, Long> sent = run(topology, rank -> {
                places.add(rank == root ? data : new byte[data.length]);
                return between(
                        new Movements(rank, topology.size()).bcast(region(places.get(rank)), ImmutableList.of(root)),
                        topology);
            });
            assertThat(places).allMatch(place -> Arrays.equals(place, data));
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                if (cluster != topology.clusterOf(root)) {
                    assertThat(sent.get(List.of(topology.clusterOf(root), cluster)))
                            .isEqualTo(data.length);
                }
            }
        });
    }

    @Test
    void anAllGatherCrossesEachLineOnce() {
        SeededRuns.run(200, random -> {
            Topology topology = drawTopology(random);
            List<byte[]> parts = new ArrayList<>();
            long[] bytesOfCluster = new long[topology.clusterCount()];
            for (int rank = 0; rank < topology.size(); rank++) {
                parts.add(bytes(random, random.nextInt(random.nextInt(4) == 0 ? 60_000 : 3_000)));
                bytesOfCluster[topology.clusterOf(rank)] += parts.get(rank).length;
            }
            List<List<byte[]>> places = new ArrayList<>();
            Map<List<Integer>, Long> sent = run(topology, rank -> {
                List<byte[]> own =
                        parts.stream().map(part -> new byte[part.length]).toList();
                places.add(own);
                return between(
                        new Movements(rank, topology.size())
                                .allGather(
                                        part -> parts.get(part).length,
                                        region(parts.get(rank)),
                                        part -> region(own.get(part))),
                        topology);
            });
            for (List<byte[]> own : places) {
                for (int part = 0; part < own.size(); part++) {
                    assertThat(own.get(part)).isEqualTo(parts.get(part));
                }
            }
            sent.forEach((pair, bytes) -> {
                if (!pair.get(0).equals(pair.get(1))) {
                    assertThat(bytes).isEqualTo(bytesOfCluster[pair.get(0)]);
                }
            });
        });
    }

    @Test
    void aScatterGoesDirectly() {
        SeededRuns.run(50, random -> {
            Topology topology = drawTopology(random);
            int root = random.nextInt(topology.size());
            List<byte[]> parts = IntStream.range(0, topology.size())
                    .mapToObj(rank -> bytes(random, random.nextInt(100)))
                    .toList();
            List<byte[]> places = new ArrayList<>();
            Map<List<Integer>, Long> sent = run(topology, rank -> {
                places.add(new byte[parts.get(rank).length]);
                return between(
                        new Movements(rank, topology.size())
                                .scatter(
                                        part -> parts.get(part).length,
                                        rank == root ? part -> region(parts.get(part)) : null,
                                        region(places.get(rank)),
                                        root),
                        topology);
            });
            for (int rank = 0; rank < topology.size(); rank++) {
                assertThat(places.get(rank)).isEqualTo(parts.get(rank));
            }
            long others = IntStream.range(0, topology.size())
                    .filter(rank -> rank != root)
                    .mapToLong(rank -> parts.get(rank).length)
                    .sum();
            assertThat(sent.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(others);
        });
    }

    /** Who gets what of a reduction. */
    private enum Kind {
        REDUCE,
        ALL_REDUCE,
        REDUCE_SCATTER,
        SCAN,
        EX_SCAN
    }

    private record Drawn(Topology topology, Kind kind, int root, BlockSizes blocks, List<byte[]> vectors) {
        static Drawn draw(SeededRandom random) {
            Topology topology = drawTopology(random);
            ImmutableLongArray sizes = ImmutableLongArray.copyOf(IntStream.range(0, topology.size())
                    .mapToLong(rank -> (long) Long.BYTES * random.nextInt(random.nextInt(3) == 0 ? 2 : 1_000)));
            BlockSizes blocks = new BlockSizes(sizes);
            return new Drawn(
                    topology,
                    List.of(Kind.values()).get(random.nextInt(Kind.values().length)),
                    random.nextInt(topology.size()),
                    blocks,
                    IntStream.range(0, topology.size())
                            .mapToObj(rank -> bytes(random, (int) blocks.total()))
                            .toList());
        }

        int contributors(int rank) {
            return switch (kind) {
                case REDUCE -> rank == root ? topology.size() : 0;
                case ALL_REDUCE, REDUCE_SCATTER -> topology.size();
                case SCAN -> rank + 1;
                case EX_SCAN -> rank;
            };
        }

        Reduction at(int rank, byte[] out) {
            boolean isReceiver = contributors(rank) > 0;
            return new Reduction(
                    rank,
                    rank,
                    topology.size(),
                    Combination.of(ElementType.LONG, AFTER),
                    AFTER.name(),
                    true,
                    blocks,
                    region(vectors.get(rank)),
                    false,
                    isReceiver ? region(out) : null,
                    kind == Kind.REDUCE_SCATTER ? rank : -1,
                    this::contributors,
                    layout -> {
                        throw new AssertionError("it goes in no pieces");
                    });
        }

        byte[] wantedBy(int rank) {
            if (contributors(rank) == 0) {
                return new byte[0];
            }
            byte[] result = result(contributors(rank));
            int from = kind == Kind.REDUCE_SCATTER ? (int) blocks.offset(rank) : 0;
            int size = kind == Kind.REDUCE_SCATTER ? (int) blocks.bytes().get(rank) : result.length;
            return Arrays.copyOfRange(result, from, from + size);
        }

        private byte[] result(int count) {
            ByteBuffer result = ByteBuffer.wrap(vectors.get(0).clone()).order(ByteOrder.LITTLE_ENDIAN);
            for (byte[] vector : vectors.subList(1, count)) {
                ByteBuffer right = ByteBuffer.wrap(vector).order(ByteOrder.LITTLE_ENDIAN);
                for (int at = 0; at < result.capacity(); at += Long.BYTES) {
                    result.putLong(at, after(result.getLong(at), right.getLong(at)));
                }
            }
            return result.array();
        }
    }

    private static List<byte[]> results(Drawn drawn) {
        return IntStream.range(0, drawn.topology.size())
                .mapToObj(rank -> new byte[drawn.wantedBy(rank).length])
                .toList();
    }

    private static void assertRight(Drawn drawn, List<byte[]> results) {
        for (int rank = 0; rank < results.size(); rank++) {
            assertThat(results.get(rank)).as("rank %s, %s", rank, drawn.kind).isEqualTo(drawn.wantedBy(rank));
        }
    }

    @Test
    void aVectorCrossesEachLineAtMostOnce() {
        SeededRuns.run(400, random -> {
            Drawn drawn = Drawn.draw(random);
            List<byte[]> results = results(drawn);
            Map<List<Integer>, Long> sent = run(
                    drawn.topology,
                    rank -> Objects.requireNonNull(
                            HierarchicalReduction.of(drawn.at(rank, results.get(rank)), drawn.topology, ANY_BYTES)));
            assertRight(drawn, results);
            sent.forEach((pair, bytes) -> {
                if (!pair.get(0).equals(pair.get(1))) {
                    assertThat(bytes).as("%s, %s", pair, drawn.kind).isLessThanOrEqualTo(drawn.blocks.total());
                }
            });
        });
    }

    @Test
    void nearMembersCombineASliceEach() {
        SeededRuns.run(200, random -> {
            Drawn drawn = Drawn.draw(random);
            List<byte[]> results = results(drawn);
            Topology one = Topology.ofSizes(drawn.topology.size());
            Map<List<Integer>, Long> unused = run(
                    one,
                    rank -> Objects.requireNonNull(
                            HierarchicalReduction.of(drawn.at(rank, results.get(rank)), one, ANY_BYTES)));
            assertRight(drawn, results);
        });
    }

    @Test
    void moreThanALineCarriesSoonGoesInPieces() {
        Topology topology = Topology.ofSizes(2, 2);
        Movement bcast = new Movements(0, 4).bcast(region(new byte[1_001]), ImmutableList.of(0));
        assertThat(PersonalMovement.of(bcast, topology, ANY_BYTES, 1_001, 0)).isNotNull();
        assertThat(PersonalMovement.of(bcast, topology, ANY_BYTES, 1_000, ANY_BYTES))
                .isNull();
        assertThat(PersonalMovement.of(bcast, Topology.ofSizes(4), ANY_BYTES, 0, 0))
                .isNotNull();
        assertThat(PersonalMovement.of(bcast, topology, 1_000, ANY_BYTES, ANY_BYTES))
                .isNull();
        Movement gather = new Movements(0, 4).gather(part -> 500, region(new byte[500]), null, 3);
        assertThat(PersonalMovement.of(gather, topology, ANY_BYTES, 0, 1_000)).isNotNull();
        assertThat(PersonalMovement.of(gather, topology, ANY_BYTES, ANY_BYTES, 999))
                .isNull();
    }

    /** A message for one member has a limit. */
    @Test
    void vectorsOfFewNodesAreReducedInPiecesIfTheirSlicesAreLarge() {
        for (int nodes : new int[] {2, 3, 5}) {
            int most = nodes * PersonalPayloads.MOST_BYTES;
            Topology topology = Topology.ofSizes(nodes);
            assertThat(HierarchicalReduction.of(allReduce(nodes, most), topology, ANY_BYTES))
                    .isNotNull();
            assertThat(HierarchicalReduction.of(allReduce(nodes, most + 8), topology, ANY_BYTES))
                    .isNull();
        }
    }

    private static Reduction allReduce(int nodes, int bytes) {
        long[] blocks = new long[nodes];
        blocks[0] = bytes;
        return new Drawn(
                        Topology.ofSizes(nodes),
                        Kind.ALL_REDUCE,
                        0,
                        new BlockSizes(ImmutableLongArray.copyOf(blocks)),
                        Collections.nCopies(nodes, new byte[bytes]))
                .at(0, new byte[bytes]);
    }

    @Test
    void vectorsAreReducedInPiecesIfTheyAreLargeOrRanksOfAClusterNotInARow() {
        Topology topology = Topology.ofSizes(2, 1);
        Drawn drawn = new Drawn(
                topology,
                Kind.ALL_REDUCE,
                0,
                new BlockSizes(ImmutableLongArray.of(8, 8, 8)),
                List.of(new byte[24], new byte[24], new byte[24]));
        Reduction reduction = drawn.at(0, new byte[24]);
        assertThat(HierarchicalReduction.of(reduction, topology, 72)).isNotNull();
        assertThat(HierarchicalReduction.of(reduction, topology, 71)).isNull();
        assertThat(HierarchicalReduction.of(reduction, Topology.of(List.of("B", "A", "A")), 72))
                .isNotNull();
        assertThat(HierarchicalReduction.of(reduction, Topology.of(List.of("A", "B", "A")), 72))
                .isNull();
    }
}
