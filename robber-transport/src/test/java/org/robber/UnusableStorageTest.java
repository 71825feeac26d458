package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException.Reason;

/** Storages that cannot be read or written, in calls with and without pieces: failures name the node, the call and whose fault it is. */
@Timeout(60)
class UnusableStorageTest {
    private static final int NODES = 3;
    private static final int BYTES = 2 << 20;

    private static final ChannelOptions PIECES = ChannelOptions.defaults().withPieceBytes(1 << 16);

    /** A place for so many bytes on a broken disk. */
    private record Broken(long sizeBytes) implements Storage {
        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            throw new IOException("bad sector");
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            throw new IOException("bad sector");
        }

        @Override
        public void close() {}
    }

    /** Gives half of the bytes that are asked for, or throws what a storage should not. */
    private record Sloppy(long sizeBytes, boolean throwing) implements Storage {
        @Override
        public void read(long offsetBytes, ByteBuffer target) {
            if (throwing) {
                throw new IllegalStateException("bad sector");
            }
            target.put(new byte[target.remaining() / 2]);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            throw new IllegalStateException("bad sector");
        }

        @Override
        public void close() {}
    }

    /** The failure that each rank hears of a call in which the storage of rank 1 fails. */
    private static Map<Integer, RobberException> failures(boolean inPieces, RankProgram program) {
        Map<Integer, RobberException> failures = new ConcurrentHashMap<>();
        try (LocalJob job = Robber.local(1, NODES)) {
            job.run(world -> {
                Communicator calls = inPieces ? world.withOptions(PIECES) : world;
                RobberException failure = catchThrowableOfType(RobberException.class, () -> program.run(calls));
                if (failure != null) {
                    failures.put(world.rank(), failure);
                }
            });
        }
        return failures;
    }

    private static void assertAllHear(Map<Integer, RobberException> failures, String call) {
        assertThat(failures).hasSize(NODES).allSatisfy((rank, failure) -> {
            assertThat(failure.reason()).as("%s", failure).isEqualTo(Reason.SOURCE);
            assertThat(failure.ranks()).containsExactly(1);
            assertThat(failure).hasMessageContainingAll("(rank 1, ", call, "bad sector");
        });
    }

    /** In two steps, others wait for what this node has got in the first. The root waits for nothing, and hears of it in its next call at the latest. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBroadcastThatCannotBeWrittenEndsForAll(boolean inPieces) {
        assertThat(failures(inPieces, world -> {
                    world.bcast(broken(world, BYTES), 0);
                    world.barrier();
                }))
                .hasSize(NODES)
                .allSatisfy((rank, failure) -> {
                    // In pieces, the others go on without the node.
                    boolean isLoss = inPieces && rank != 1;
                    assertThat(failure.reason()).isEqualTo(isLoss ? Reason.NETWORK : Reason.DESTINATION);
                    assertThat(failure.ranks()).containsExactly(1);
                    assertThat(failure).hasMessageContainingAll("(rank 1, ", "bad sector");
                });
    }

    private static Object broken(Communicator world, int bytes) {
        return world.rank() == 1 ? new Broken(bytes) : new byte[bytes];
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPartThatCannotBeReadIsTheFaultOfItsSource(boolean inPieces) {
        assertAllHear(
                failures(
                        inPieces,
                        world -> world.gather(
                                broken(world, BYTES), world.rank() == 0 ? new byte[NODES * BYTES] : null, 0)),
                "gather to rank 0");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aContributionThatCannotBeReadIsTheFaultOfItsSource(boolean inPieces) {
        assertAllHear(
                failures(inPieces, world -> world.allReduce(broken(world, BYTES), new byte[BYTES], Op.SUM)),
                "allReduce by sum");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResultThatCannotBeWrittenIsTheFaultOfItsDestination(boolean inPieces) {
        RobberException failure = failures(
                        inPieces, world -> world.allReduce(new byte[BYTES], broken(world, BYTES), Op.SUM))
                .get(1);
        assertThat(failure.reason()).as("%s", failure).isEqualTo(Reason.DESTINATION);
        assertThat(failure).hasMessageContainingAll("(rank 1, ", "allReduce by sum", "bad sector");
    }

    /** In a meeting, through memory, and in pieces. */
    @ParameterizedTest
    @CsvSource({"1000, false", "2097152, false", "2097152, true"})
    void aPartOfWhichTooLittleIsReadIsTheFaultOfItsSource(int bytes, boolean inPieces) {
        assertSourceIsNamed(
                failures(
                        inPieces,
                        world -> world.gather(
                                world.rank() == 1 ? new Sloppy(bytes, /* throwing= */ false) : new byte[bytes],
                                world.rank() == 0 ? new byte[NODES * bytes] : null,
                                0)),
                "the storage has given ");
    }

    @ParameterizedTest
    @CsvSource({"1000, false", "2097152, false", "2097152, true"})
    void aPartThatThrowsAnythingIsTheFaultOfItsSource(int bytes, boolean inPieces) {
        assertSourceIsNamed(
                failures(
                        inPieces,
                        world -> world.gather(
                                world.rank() == 1 ? new Sloppy(bytes, /* throwing= */ true) : new byte[bytes],
                                world.rank() == 0 ? new byte[NODES * bytes] : null,
                                0)),
                "bad sector");
    }

    /** Published, through memory, and in pieces. */
    @ParameterizedTest
    @CsvSource({"1000, true", "2097152, true", "2097152, false"})
    void aMulticastOfWhichTooLittleIsReadIsTheFaultOfItsRoot(int bytes, boolean sharesMemory) {
        assertSourceIsNamed(
                failures(
                        /* inPieces= */ false, world -> {
                            try (MulticastChannel channel =
                                    world.multicastChannel(PIECES.withSharedMemory(sharesMemory))) {
                                channel.multicast(
                                        world.rank() == 1
                                                ? new Sloppy(bytes, /* throwing= */ false)
                                                : Storage.allocateDirect(bytes),
                                        1);
                                channel.flush();
                            }
                        }),
                "the storage has given ");
    }

    private static void assertSourceIsNamed(Map<Integer, RobberException> failures, String why) {
        assertThat(failures).hasSize(NODES).allSatisfy((rank, failure) -> {
            assertThat(failure.reason()).as("%s", failure).isEqualTo(Reason.SOURCE);
            assertThat(failure.ranks()).containsExactly(1);
            assertThat(failure).hasMessageContainingAll("(rank 1, ", why);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, BYTES})
    void aPlaceThatThrowsAnythingIsTheFaultOfItsDestination(int bytes) {
        RobberException failure = failures(
                        /* inPieces= */ false,
                        world -> world.bcast(
                                world.rank() == 1 ? new Sloppy(bytes, /* throwing= */ true) : new byte[bytes], 0))
                .get(1);
        assertThat(failure.reason()).as("%s", failure).isEqualTo(Reason.DESTINATION);
        assertThat(failure).hasMessageContainingAll("(rank 1, ", "bad sector");
    }

    @Test
    void aClosedFileIsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[1000]);
        FileChannel channel = FileChannel.open(file);
        Storage closed = Storage.of(channel);
        channel.close();
        assertSourceIsNamed(partsFrom(closed), "ClosedChannelException");
    }

    @Test
    void aFileThatIsOpenForWritingOnlyIsNoSource(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[1000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertSourceIsNamed(partsFrom(Storage.of(channel)), "the file is open for writing only");
            assertThatIOException()
                    .isThrownBy(() -> Storage.of(channel).fileRange(0, 1000))
                    .withMessage("the file is open for writing only");
        }
        try (FileChannel channel = FileChannel.open(file)) {
            assertThatIOException()
                    .isThrownBy(() -> Storage.of(channel).write(0, ByteBuffer.allocate(1)))
                    .withMessage("the file is open for reading only");
        }
    }

    private static Map<Integer, RobberException> partsFrom(Storage storage) {
        return failures(
                /* inPieces= */ false,
                world -> world.gather(
                        world.rank() == 1 ? storage : new byte[1000],
                        world.rank() == 0 ? new byte[NODES * 1000] : null,
                        0));
    }
}
