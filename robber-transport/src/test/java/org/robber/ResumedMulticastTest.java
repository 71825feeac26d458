package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.ChannelOptions.OnLoss;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.transport.digest.PieceHashers;

/** Multicasts in which nodes have parts of the data from the start. */
class ResumedMulticastTest {
    private static final int PIECE_BYTES = 1 << 13;
    private static final int PIECES = 61;
    private static final int BYTES = PIECES * PIECE_BYTES - 1000;
    private static final long SEED = SeededRuns.firstSeed();

    private final byte[] data = new byte[BYTES];

    ResumedMulticastTest() {
        new Random(SEED).nextBytes(data);
    }

    static Stream<String> strategies() {
        return Strategies.names().stream();
    }

    /** Memory of which some pieces were right before; notes the digests that it is told. */
    private static final class Remembering implements Storage {
        private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        private final Storage storage = Storage.of(memory);
        private final BitSet before;
        private final Map<Long, byte[]> told = new ConcurrentHashMap<>();

        Remembering(byte[] data, BitSet before) {
            this.before = before;
            for (int piece = before.nextSetBit(0); piece >= 0; piece = before.nextSetBit(piece + 1)) {
                int start = piece * PIECE_BYTES;
                memory.put(start, data, start, Math.min(PIECE_BYTES, BYTES - start));
            }
        }

        long beforeBytes() {
            return (long) before.cardinality() * PIECE_BYTES - (before.get(PIECES - 1) ? 1000 : 0);
        }

        byte[] bytes() {
            byte[] bytes = new byte[BYTES];
            memory.get(0, bytes);
            return bytes;
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
            storage.write(offsetBytes, source);
        }

        @Override
        public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
            return before.get((int) (offsetBytes / PIECE_BYTES))
                    ? PieceHashers.named(ChannelOptions.defaults().digest())
                            .hash(memory.slice((int) offsetBytes, lengthBytes))
                    : null;
        }

        @Override
        public void verified(long offsetBytes, int lengthBytes, byte[] digest) {
            told.put(offsetBytes, digest);
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }

    private static BitSet some(int rank) {
        BitSet pieces = new BitSet();
        Random random = new Random(SEED + rank);
        for (int piece = 0; piece < PIECES; piece++) {
            // one node has everything, one nothing; and piece 0 everyone else
            pieces.set(piece, rank == 2 || (rank != 4 && (piece == 0 || random.nextBoolean())));
        }
        return pieces;
    }

    private static ChannelOptions options(String strategy) {
        return ChannelOptions.defaults().withStrategy(strategy).withPieceBytes(PIECE_BYTES);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void whatIsThereIsNotSentAgain(String strategy) throws Exception {
        try (LocalJob job = Robber.local(2, 3)) {
            job.run(world -> {
                BitSet all = new BitSet();
                all.set(0, PIECES);
                Remembering mine = new Remembering(data, world.rank() == 0 ? all : some(world.rank()));
                try (MulticastChannel channel = world.multicastChannel(options(strategy))) {
                    channel.resume(mine, 0);
                    channel.flush();
                    TransferStats stats = channel.lastStats();
                    long receivedBytes = stats.bytesReceivedFromCluster().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                    long beforeBytes = world.rank() == 0 ? 0 : mine.beforeBytes();
                    assertThat(stats.bytesReused()).as("seed %s", SEED).isEqualTo(beforeBytes);
                    if (world.rank() != 0) {
                        assertThat(receivedBytes).as("seed %s", SEED).isEqualTo(BYTES - beforeBytes);
                        assertThat(mine.told).hasSize(PIECES - mine.before.cardinality());
                    } else {
                        assertThat(mine.told).as("read, whoever has it").hasSize(PIECES);
                    }
                    assertThat(mine.bytes()).isEqualTo(data);
                }
            });
        }
    }

    @Test
    void partsOfOtherDataAreFoundInTheEnd() throws Exception {
        byte[] other = data.clone();
        other[0] ^= 1;
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        BitSet all = new BitSet();
                        all.set(0, PIECES);
                        BitSet first = new BitSet();
                        first.set(0, world.rank() == 1);
                        Remembering mine =
                                world.rank() == 0 ? new Remembering(data, all) : new Remembering(other, first);
                        try (MulticastChannel channel =
                                world.multicastChannel(options("robber").withOnLoss(OnLoss.ABORT))) {
                            channel.resume(mine, 0);
                        }
                    }))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTEGRITY));
        }
    }

    @Test
    @Timeout(60)
    void aDigestOfAnotherKindEndsTheJob() {
        List<String> problems = new CopyOnWriteArrayList<>();
        ChannelOptions sha256 =
                ChannelOptions.defaults().withPieceBytes(PIECE_BYTES).withDigest("sha256");
        BitSet first = BitSet.valueOf(new long[] {1});
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        try (MulticastChannel channel = world.multicastChannel(sha256)) {
                            Storage storage = Storage.of(ByteBuffer.wrap(data.clone()));
                            channel.resume(world.rank() == 1 ? new Remembering(data, first) : storage, 0);
                        } catch (IllegalArgumentException e) {
                            problems.add(e.getMessage());
                            throw e;
                        }
                    }))
                    .isInstanceOf(RobberException.class);
        }
        assertThat(problems).singleElement().asString().contains("a digest of 8 bytes for piece 0, and sha256 has 32");
    }
}
