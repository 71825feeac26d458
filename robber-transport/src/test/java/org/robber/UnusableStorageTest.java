package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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
}
