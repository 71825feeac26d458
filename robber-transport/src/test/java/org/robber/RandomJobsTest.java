package org.robber;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.random.SeededRuns;

/**
 * Random jobs in one process: clusters of any sizes, several multicasts in a row from any root, between all kinds of
 * storage. The seed of a job that fails is in its message; {@code -Drobber.seed=} repeats it.
 */
class RandomJobsTest {

    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(40);
    private static final int MOST_NODES = 9;
    private static final int MOST_CLUSTERS = 4;
    private static final int MOST_MULTICASTS = 5;
    private static final int MOST_BYTES_LOG2 = 22;
    private static final int MOST_PIECES = 2000;

    @TempDir
    Path folder;

    @Test
    void everyByteArrivesEverywhere() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                new Job(seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + ": " + e, e);
            }
        }
    }

    /** What happens in a channel; drawn by every node alike. */
    private record Multicast(long seed, int bytes, int root) {

        static Multicast of(SplittableRandom random, int nodes) {
            int bytes = random.nextInt(8) == 0 ? 0 : (int) Math.pow(2, random.nextDouble(MOST_BYTES_LOG2));
            return new Multicast(random.nextLong(), bytes, random.nextInt(nodes));
        }

        byte[] content() {
            byte[] content = new byte[bytes];
            new SplittableRandom(seed).nextBytes(content);
            return content;
        }
    }

    private final class Job {
        private final long seed;
        private final List<String> clusters = new ArrayList<>();

        Job(long seed) {
            this.seed = seed;
            SplittableRandom random = new SplittableRandom(seed);
            int nodes = 1 + random.nextInt(MOST_NODES);
            int count = 1 + random.nextInt(MOST_CLUSTERS);
            for (int rank = 0; rank < nodes; rank++) {
                // the first are more likely: clusters of very unequal sizes, and scattered ranks
                clusters.add(String.valueOf((char) ('A' + random.nextInt(1 + random.nextInt(count)))));
            }
        }

        void run() {
            try (LocalJob job = new LocalJob(clusters)) {
                job.run(world -> {
                    SplittableRandom random = new SplittableRandom(~seed);
                    int channels = 1 + random.nextInt(2);
                    for (int i = 0; i < channels; i++) {
                        useChannel(world, random);
                    }
                });
            }
        }

        private void useChannel(Communicator world, SplittableRandom random) throws IOException {
            List<Multicast> multicasts = new ArrayList<>();
            int largest = 0;
            for (int i = random.nextInt(MOST_MULTICASTS); i >= 0; i--) {
                Multicast multicast = Multicast.of(random, world.size());
                multicasts.add(multicast);
                largest = Math.max(largest, multicast.bytes);
            }
            ChannelOptions options = ChannelOptions.defaults()
                    .withPieceBytes(
                            random.nextInt(4) == 0
                                    ? 0
                                    : largest / MOST_PIECES + 1 + (int) Math.pow(2, random.nextDouble(MOST_BYTES_LOG2)))
                    .withDigest(List.of(
                                    "sha256",
                                    "xxh3-128",
                                    ChannelOptions.defaults().digest())
                            .get(random.nextInt(3)))
                    .withRequestWindow(1 + random.nextInt(8))
                    .withMemoryBytes((4L + random.nextInt(60)) << 20);
            try (MulticastChannel channel = world.multicastChannel(options)) {
                for (Multicast multicast : multicasts) {
                    run(world, channel, multicast);
                }
            }
        }

        private void run(Communicator world, MulticastChannel channel, Multicast multicast) throws IOException {
            byte[] content = multicast.content();
            boolean isRoot = world.rank() == multicast.root;
            // each node has a kind of its own
            SplittableRandom random = new SplittableRandom(multicast.seed + world.rank());
            Storage storage = switch (random.nextInt(3)) {
                case 0 -> filled(Storage.of(ByteBuffer.wrap(new byte[content.length])), content, isRoot);
                case 1 -> filled(Storage.of(ByteBuffer.allocateDirect(content.length)), content, isRoot);
                default ->
                    filled(
                            Storage.of(
                                    FileChannel.open(folder.resolve("rank-" + world.rank()), CREATE, READ, WRITE),
                                    content.length),
                            isRoot ? content : new byte[content.length],
                            true);
            };
            try (storage) {
                channel.multicast(storage, multicast.root);
                assertThat(read(storage))
                        .as("%s bytes at rank %s from %s", content.length, world.rank(), multicast.root)
                        .isEqualTo(content);
                channel.flush();
            }
            Files.deleteIfExists(folder.resolve("rank-" + world.rank()));
        }

        private Storage filled(Storage storage, byte[] content, boolean fill) throws IOException {
            if (fill) {
                storage.write(0, ByteBuffer.wrap(content));
            }
            return storage;
        }

        private byte[] read(Storage storage) throws IOException {
            byte[] content = new byte[(int) storage.sizeBytes()];
            storage.read(0, ByteBuffer.wrap(content));
            return content;
        }
    }
}
