package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.transport.digest.PieceHashers;

/** Multicasts from several roots: each has some stripes, and gets the others. */
@Timeout(60)
class StripedMulticastTest {
    private static final int PIECE_BYTES = 1 << 13;
    private static final int BYTES = 61 * PIECE_BYTES - 1000;
    private static final long SEED = SeededRuns.firstSeed();

    /** Ranks 1 and 4 have two stripes each, one of them empty; rank 0 has none. */
    private static final List<RootStripe> STRIPES = List.of(
            new RootStripe(4, 20 * PIECE_BYTES),
            new RootStripe(1, 21 * PIECE_BYTES),
            new RootStripe(4, 21 * PIECE_BYTES),
            new RootStripe(1, BYTES));

    private final byte[] data = new byte[BYTES];

    /** The name of the call, which all nodes compare, has no room for all of them. */
    @Test
    void thereMayBeManyStripes() {
        int count = 300;
        int stripeBytes = 100;
        List<RootStripe> stripes = IntStream.range(0, count)
                .mapToObj(stripe -> new RootStripe(stripe % 3, (stripe + 1L) * stripeBytes))
                .toList();
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                byte[] here = new byte[count * stripeBytes];
                for (int i = 0; i < here.length; i++) {
                    here[i] = i / stripeBytes % 3 == world.rank() ? data[i] : 0;
                }
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(stripeBytes))) {
                    channel.multicast(Storage.of(ByteBuffer.wrap(here)), stripes);
                    channel.flush();
                }
                assertThat(here).isEqualTo(Arrays.copyOf(data, here.length));
            });
        }
    }

    StripedMulticastTest() {
        new Random(SEED).nextBytes(data);
    }

    static Stream<String> strategies() {
        return Strategies.names().stream()
                .filter(name -> !Strategies.byName(name).needsSingleRoot());
    }

    static Stream<String> treeStrategies() {
        return Strategies.names().stream()
                .filter(name -> Strategies.byName(name).needsSingleRoot());
    }

    /** Memory with the stripes of one node and, if that is wanted, every third piece of the others; refuses to be written where it has data. */
    private final class Striped implements Storage {
        private final byte[] bytes = new byte[BYTES];
        private final Storage storage = Storage.of(ByteBuffer.wrap(bytes));
        private final int rank;
        private final boolean hasThirds;
        private long missingBytes;
        private long verifiedBytes;

        Striped(int rank, boolean hasThirds) {
            this.rank = rank;
            this.hasThirds = hasThirds;
            for (int offset = 0; offset < BYTES; offset += PIECE_BYTES) {
                int length = Math.min(PIECE_BYTES, BYTES - offset);
                if (isSource(offset) || isVerified(offset)) {
                    System.arraycopy(data, offset, bytes, offset, length);
                } else {
                    missingBytes += length;
                }
                verifiedBytes += isVerified(offset) ? length : 0;
            }
        }

        private boolean isSource(long offset) {
            return rank
                    == STRIPES.stream()
                            .filter(stripe -> offset < stripe.endBytes())
                            .findFirst()
                            .orElseThrow()
                            .rootRank();
        }

        private boolean isVerified(long offset) {
            return hasThirds && !isSource(offset) && offset / PIECE_BYTES % 3 == rank % 3;
        }

        @Override
        public long sizeBytes() {
            return BYTES;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            storage.read(offsetBytes, target);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            assertThat(isSource(offsetBytes) || isVerified(offsetBytes)).isFalse();
            storage.write(offsetBytes, source);
        }

        /** What a root says of its own stripes does not count: they may have changed. */
        @Override
        public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
            if (isSource(offsetBytes)) {
                return new byte[1];
            }
            return isVerified(offsetBytes)
                    ? PieceHashers.named(ChannelOptions.defaults().digest())
                            .hash(ByteBuffer.wrap(bytes, (int) offsetBytes, lengthBytes))
                    : null;
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }

    private static ChannelOptions options(String strategy) {
        return ChannelOptions.defaults().withStrategy(strategy).withPieceBytes(PIECE_BYTES);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void allGetTheStripesOfAll(String strategy) throws Exception {
        try (LocalJob job = Robber.local(2, 3)) {
            job.run(world -> {
                Striped mine = new Striped(world.rank(), false);
                try (MulticastChannel channel = world.multicastChannel(options(strategy))) {
                    channel.multicast(mine, STRIPES);
                    // Who has a stripe only reads it; everything else is here when the call returns.
                    assertThat(Arrays.equals(mine.bytes, data))
                            .as("seed %s", SEED)
                            .isTrue();
                    channel.flush();
                    assertThat(received(channel)).isEqualTo(mine.missingBytes);
                    assertThat(channel.lastStats().bytesReused()).isZero();
                }
            });
        }
    }

    @Test
    void whatIsThereIsNotSentAgain() throws Exception {
        try (LocalJob job = Robber.local(2, 3)) {
            job.run(world -> {
                Striped mine = new Striped(world.rank(), true);
                try (MulticastChannel channel = world.multicastChannel(options("robber"))) {
                    channel.resume(mine, STRIPES);
                    assertThat(Arrays.equals(mine.bytes, data))
                            .as("seed %s", SEED)
                            .isTrue();
                    channel.flush();
                    assertThat(received(channel)).isEqualTo(mine.missingBytes);
                    assertThat(channel.lastStats().bytesReused()).isEqualTo(mine.verifiedBytes);
                }
            });
        }
    }

    /** The root of the first stripe is wrong about another one, and so is who got it from there. All hear of it. */
    @Test
    void stalePiecesOfAnotherRootAreFoundInTheEnd() {
        byte[] other = data.clone();
        other[30 * PIECE_BYTES] ^= 1;
        List<RootStripe> stripes = List.of(new RootStripe(0, 10 * PIECE_BYTES), new RootStripe(2, BYTES));
        Map<Integer, Reason> ends = new ConcurrentHashMap<>();
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        Storage mine = new Complete(world.rank() == 2 ? data : other);
                        try (MulticastChannel channel = world.multicastChannel(
                                options("robber").withOnLoss(ChannelOptions.OnLoss.COMPLETE_SURVIVORS))) {
                            channel.resume(mine, stripes);
                            channel.flush();
                        } catch (RobberException e) {
                            ends.put(world.rank(), e.reason());
                            throw e;
                        }
                    }))
                    .isInstanceOf(RobberException.class);
        }
        assertThat(ends)
                .containsEntry(0, Reason.INTEGRITY)
                .containsEntry(1, Reason.INTEGRITY)
                .containsKey(2);
    }

    /** Nothing is requested then; roots read their stripes all the same, for the digest over everything. */
    @Test
    void allHaveAllAlready() throws Exception {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                Storage mine = new Complete(data);
                try (MulticastChannel channel = world.multicastChannel(options("robber"))) {
                    channel.resume(mine, List.of(new RootStripe(1, 10 * PIECE_BYTES), new RootStripe(0, BYTES)));
                    channel.flush();
                    assertThat(received(channel)).isZero();
                }
            });
        }
    }

    /** Everything, verified. */
    private static final class Complete implements Storage {
        private final byte[] bytes;
        private final Storage storage;

        Complete(byte[] bytes) {
            this.bytes = bytes;
            this.storage = Storage.of(ByteBuffer.wrap(bytes));
        }

        @Override
        public long sizeBytes() {
            return BYTES;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            storage.read(offsetBytes, target);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            throw new IllegalStateException("written at " + offsetBytes);
        }

        @Override
        public byte[] verifiedDigest(long offsetBytes, int lengthBytes) {
            return PieceHashers.named(ChannelOptions.defaults().digest())
                    .hash(ByteBuffer.wrap(bytes, (int) offsetBytes, lengthBytes));
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }

    @ParameterizedTest
    @MethodSource("treeStrategies")
    void treesHaveOneRoot(String strategy) {
        refused(strategy, STRIPES, "strategy " + strategy + " multicasts from one root only");
    }

    @Test
    void stripesThatCannotBeAreRefused() {
        refused("robber", List.of(), "stripes [] of " + BYTES + " bytes");
        refused("robber", STRIPES.subList(0, 3), "of " + BYTES + " bytes");
        refused(
                "robber",
                List.of(new RootStripe(0, 100), new RootStripe(1, BYTES)),
                "a stripe from 0 to 100 in pieces of");
        refused("robber", List.of(STRIPES.get(1), STRIPES.get(0), STRIPES.get(3)), "a stripe from 172032 to 163840");
        refused("robber", List.of(new RootStripe(2, BYTES)), "root rank 2 of 2 nodes");
        assertThatThrownBy(() -> new RootStripe(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RootStripe(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private void refused(String strategy, List<RootStripe> stripes, String message) {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world -> {
                        try (MulticastChannel channel = world.multicastChannel(options(strategy))) {
                            assertThatThrownBy(() -> channel.multicast(Storage.of(ByteBuffer.wrap(data)), stripes))
                                    .isInstanceOf(IllegalArgumentException.class)
                                    .hasMessageContaining(message);
                        }
                        throw new IllegalStateException("refused");
                    }))
                    .hasMessageContaining("refused");
        }
    }

    @Test
    void nodesThatDisagreeAreNamed() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        try (MulticastChannel channel = world.multicastChannel(options("robber"))) {
                            int other = world.rank() == 2 ? 1 : 0;
                            channel.multicast(
                                    Storage.of(ByteBuffer.wrap(data.clone())),
                                    List.of(new RootStripe(0, PIECE_BYTES), new RootStripe(other, BYTES)));
                        }
                    }))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                    .hasMessageContaining("rank 1 to byte " + BYTES);
        }
    }

    private static long received(MulticastChannel channel) {
        return channel.lastStats().bytesReceivedFromCluster().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
