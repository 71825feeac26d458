package org.robber.transport.link.piece;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.Storage;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.link.GuardedStorage;
import org.robber.transport.link.SlowStorage;
import org.robber.transport.link.frame.BlockPlace;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.piece.PieceBuffers.Lease;
import org.robber.transport.manifest.DigestTable;

class PieceIntakeTest {
    private static final int PIECE_BYTES = 1000;
    private static final int PEER = 7;
    private static final int OTHER = 8;
    private static final int THIRD = 9;

    private PieceLayout layout = new PieceLayout(2500, PIECE_BYTES);
    private final PieceHasher hasher = PieceHashers.named("xxh3-128");
    private final byte[] target = new byte[2500];
    private final byte[] source = new byte[2500];
    private final PieceBuffers buffers = new PieceBuffers(PIECE_BYTES, 2 * PIECE_BYTES, PieceBuffers.OF_PROCESS);
    private final List<Event> events = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<Runnable> storageTasks = new ArrayList<>();
    private final Line line = new Line(new ArrayList<>());
    private final WritesUnderWay writes = new WritesUnderWay();
    private Storage storage = new SlowStorage(Storage.of(ByteBuffer.wrap(target)));

    /** Reads blocks, and notes what it is told. */
    private record Line(List<String> told) implements BlockReader {
        @Override
        public void resume() {
            told.add("resumed");
        }

        @Override
        public void leave(ByteBuf bytes, Runnable left) {
            told.add("left");
            left.run();
        }
    }

    PieceIntakeTest() {
        new Random(1).nextBytes(source);
    }

    private PieceIntake intake() {
        return new PieceIntake(
                layout,
                storage,
                hasher,
                new PieceDigests(new DigestTable(3, 16), () -> {}),
                buffers,
                storageTasks::add,
                writes,
                events::add,
                failures::add);
    }

    @AfterEach
    void close() {
        buffers.close();
    }

    private PieceBlock block(int piece, int offset, int length) {
        int at = (int) layout.offsetBytes(piece);
        byte[] digest = hasher.hash(ByteBuffer.wrap(source, at, layout.lengthBytes(piece)));
        return new PieceBlock(piece, offset, length, 0, digest);
    }

    private void send(PieceIntake intake, int from, PieceBlock block) {
        arrive(intake, from, block);
        runStorageTasks();
    }

    /** What comes waits for a storage thread. */
    private void arrive(PieceIntake intake, int from, PieceBlock block) {
        ByteBuf place = intake.placeFor(from, block, line).bytes();
        if (place != null) {
            place.writeBytes(
                    source, (int) layout.offsetBytes(block.piece()) + block.offsetBytes(), block.lengthBytes());
            intake.received(from, block);
        }
    }

    private void runStorageTasks() {
        while (!storageTasks.isEmpty()) {
            storageTasks.remove(0).run();
        }
    }

    @Test
    void aPieceInBlocksIsStoredOnceItIsWholeAndVerified() {
        PieceIntake intake = intake();
        intake.expect(2, PEER);

        send(intake, PEER, block(2, 0, 400));
        assertThat(events).isEmpty();
        send(intake, PEER, block(2, 400, 100));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 2));
        assertThat(ByteBuffer.wrap(target, 2000, 500)).isEqualTo(ByteBuffer.wrap(source, 2000, 500));
    }

    /** The program may change its buffer then. */
    @Test
    void whatIsBeingStoredAtTheEndIsWaitedFor() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        Storage memory = Storage.of(ByteBuffer.wrap(target));
        storage = new GuardedStorage(memory, () -> {
            ends.add(writes.close());
            assertThat(ends.get(0)).isNotDone();
        });
        PieceIntake intake = intake();
        for (int piece = 0; piece < 2; piece++) {
            intake.expect(piece, PEER);
            arrive(intake, PEER, block(piece, 0, PIECE_BYTES));
        }

        runStorageTasks();

        assertThat(ends).hasSize(1);
        assertThat(ends.get(0)).isDone();
        assertThat(Arrays.copyOfRange(target, PIECE_BYTES, 2 * PIECE_BYTES))
                .as("began later")
                .containsOnly(0);
    }

    @Test
    void whatIsReadIntoTheStorageAtTheEndIsWaitedFor() {
        storage = Storage.of(ByteBuffer.allocateDirect(2500));
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        List<Runnable> leaving = new ArrayList<>();
        ByteBuf place = intake.placeFor(PEER, block(0, 0, PIECE_BYTES), new BlockReader() {
                    @Override
                    public void resume() {}

                    @Override
                    public void leave(ByteBuf bytes, Runnable left) {
                        leaving.add(left);
                    }
                })
                .bytes();
        assertThat(place).isNotNull();

        intake.close();
        CompletableFuture<Void> end = writes.close();

        assertThat(end).isNotDone();
        leaving.forEach(Runnable::run);
        assertThat(end).isDone();
    }

    @Test
    void bytesThatDoNotMatchTheirDigestAreNotStored() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        PieceBlock block = block(0, 0, PIECE_BYTES);
        source[17] ^= 1;

        send(intake, PEER, block);

        assertThat(events).containsExactly(new Event.PieceCorrupt(PEER, 0));
        assertThat(target).containsOnly(0);
    }

    @Test
    void whatWasNotAskedOfThePeerIsNotTaken() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);

        assertThat(intake.placeFor(OTHER, block(0, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(1, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(0, 10, 100), line)).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(2, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
    }

    @Test
    void aPieceThatIsHereIsNotTakenAgain() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        send(intake, PEER, block(0, 0, 1000));

        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
    }

    @Test
    void withoutMemoryTheSenderWaitsUntilAPieceIsStored() {
        PieceIntake intake = intake();
        List<String> resumed = new ArrayList<>();
        for (int piece = 0; piece < 3; piece++) {
            intake.expect(piece, PEER);
        }
        intake.placeFor(PEER, block(0, 0, 1000), line);
        intake.placeFor(PEER, block(1, 0, 1000), line);

        assertThat(intake.placeFor(PEER, block(2, 0, 500), new Line(resumed))).isSameAs(BlockPlace.WAIT);
        assertThat(resumed).isEmpty();
        send(intake, PEER, block(0, 0, 1000));

        assertThat(resumed).containsExactly("resumed");
        intake.close();
    }

    @Test
    void smallPiecesInDirectMemoryNeedNeitherTheBudgetNorAnotherThread() {
        ByteBuffer direct = ByteBuffer.allocateDirect(2500);
        storage = Storage.of(direct);
        PieceIntake intake = intake();
        for (int piece = 0; piece < 3; piece++) {
            intake.expect(piece, PEER);
            arrive(intake, PEER, block(piece, 0, layout.lengthBytes(piece)));
        }

        assertThat(storageTasks).isEmpty();
        assertThat(direct).isEqualTo(ByteBuffer.wrap(source));
        assertThat(events).hasSize(3);
    }

    @Test
    void largePiecesInDirectMemoryAreVerifiedOnAStorageThread() {
        int bytes = SendWindow.LARGEST_BLOCK_BYTES + 1;
        layout = new PieceLayout(bytes, bytes);
        storage = Storage.of(ByteBuffer.allocateDirect(bytes));
        PieceBlock zeros = new PieceBlock(0, 0, bytes, 0, hasher.hash(ByteBuffer.allocate(bytes)));
        PieceIntake intake = intake();
        intake.expect(0, PEER);

        Objects.requireNonNull(intake.placeFor(PEER, zeros, line).bytes()).writeZero(bytes);
        intake.received(PEER, zeros);
        assertThat(events).isEmpty();
        runStorageTasks();

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0));
    }

    @Test
    void smallPiecesOfAStorageInMemoryAreStoredAtOnce() {
        storage = Storage.of(ByteBuffer.wrap(target));
        PieceIntake intake = intake();
        intake.expect(0, PEER);

        arrive(intake, PEER, block(0, 0, 1000));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0));
        assertThat(ByteBuffer.wrap(target, 0, 1000)).isEqualTo(ByteBuffer.wrap(source, 0, 1000));
    }

    @Test
    void whoeverWasLentABufferLeavesTheStoragesMemoryToOthers() {
        ByteBuffer direct = ByteBuffer.allocateDirect(2500);
        storage = new SlowStorage(Storage.of(direct));
        PieceIntake intake = intake();
        intake.expect(0, OTHER);
        intake.placeFor(OTHER, block(0, 0, 500), line);
        Lease first = Objects.requireNonNull(buffers.take(later -> {}));
        Lease second = Objects.requireNonNull(buffers.take(later -> {}));
        intake.expect(0, PEER);
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.WAIT);
        intake.forget(0, OTHER);
        first.release();

        arrive(intake, PEER, block(0, 0, 1000));
        intake.expect(0, THIRD);
        ByteBuf garbage = Objects.requireNonNull(
                intake.placeFor(THIRD, block(0, 0, 500), line).bytes());
        garbage.writeZero(500);
        runStorageTasks();

        assertThat(events).contains(new Event.PieceStored(PEER, 0));
        assertThat(direct.slice(0, 1000)).isEqualTo(ByteBuffer.wrap(source, 0, 1000));
        second.release();
        intake.close();
    }

    /** The peer had begun to send the piece when it was cancelled, and sends it again over another connection. */
    @Test
    void twoCopiesAtATimeDoNotShareABuffer() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        Line other = new Line(new ArrayList<>());
        ByteBuf place = Objects.requireNonNull(
                intake.placeFor(PEER, block(0, 0, 500), line).bytes());

        assertThat(intake.placeFor(PEER, block(0, 0, 500), other)).isSameAs(BlockPlace.DISCARD);
        place.writeBytes(source, 0, 500);
        intake.received(PEER, block(0, 0, 500));
        assertThat(intake.placeFor(PEER, block(0, 500, 500), other)).isSameAs(BlockPlace.DISCARD);
        send(intake, PEER, block(0, 500, 500));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0));
    }

    @Test
    void twoCopiesThatWaitGetOneBuffer() {
        PieceIntake intake = intake();
        Lease first = Objects.requireNonNull(buffers.take(later -> {}));
        Lease second = Objects.requireNonNull(buffers.take(later -> {}));
        intake.expect(0, PEER);
        Line other = new Line(new ArrayList<>());
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.WAIT);
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), other)).isSameAs(BlockPlace.WAIT);

        first.release();
        second.release();
        send(intake, PEER, block(0, 0, 1000));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0));
        assertThat(other.told).containsExactly("resumed");
        intake.close();
        assertThat(List.of(lease(), lease())).as("all buffers are back").doesNotContainNull();
    }

    /** Its next blocks belong to the next multicast. */
    @Test
    void aReaderThatWaitsReadsOnAfterTheEnd() {
        PieceIntake intake = intake();
        Lease first = Objects.requireNonNull(buffers.take(later -> {}));
        Lease second = Objects.requireNonNull(buffers.take(later -> {}));
        intake.expect(0, PEER);
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.WAIT);

        intake.close();

        assertThat(line.told).containsExactly("resumed");
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
        first.release();
        second.release();
    }

    private Lease lease() {
        return Objects.requireNonNull(buffers.take(later -> {}), "no buffer is left");
    }

    @Test
    void aStorageThatFailsIsReportedAndThePieceIsNot() {
        storage = new Storage() {
            @Override
            public long sizeBytes() {
                return 2500;
            }

            @Override
            public void read(long offsetBytes, ByteBuffer into) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(long offsetBytes, ByteBuffer from) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        PieceIntake intake = intake();
        intake.expect(0, PEER);

        send(intake, PEER, block(0, 0, 1000));

        assertThat(events).isEmpty();
        assertThat(failures).singleElement().isInstanceOf(IOException.class);
    }

    @Test
    void aRefusalConcernsOnlyThePeerThatRefuses() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.expect(0, OTHER);

        intake.forget(0, PEER);
        assertThat(intake.isOwedBy(PEER)).isFalse();
        assertThat(intake.isOwedBy(OTHER)).isTrue();
        assertThat(intake.placeFor(PEER, block(0, 0, 1000), line)).isSameAs(BlockPlace.DISCARD);
        send(intake, OTHER, block(0, 0, 1000));

        assertThat(events).containsExactly(new Event.PieceStored(OTHER, 0));
        assertThat(intake.isOwedBy(OTHER)).isFalse();
    }

    @Test
    void thePieceIsKeptOnceAndTheNodeHearsOfEverybodyWhoSendsIt() {
        PieceIntake intake = intake();
        for (int peer = PEER; peer < PEER + 3; peer++) {
            intake.expect(0, peer);
        }
        arrive(intake, OTHER, block(0, 0, 400));
        send(intake, PEER, block(0, 0, 1000));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0), new Event.PieceStored(OTHER, 0));
        assertThat(line.told()).containsExactly("left");
        assertThat(intake.placeFor(OTHER, block(0, 400, 600), line)).isSameAs(BlockPlace.DISCARD);
        events.clear();
        assertThat(intake.placeFor(PEER + 2, block(0, 0, 400), line)).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER + 2, block(0, 400, 600), line)).isSameAs(BlockPlace.DISCARD);
        assertThat(events).containsExactly(new Event.PieceStored(PEER + 2, 0));
        assertBuffersAreBack();
    }

    @Test
    void ofTwoThatWaitForAStorageThreadOneIsKept() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.expect(0, OTHER);
        arrive(intake, PEER, block(0, 0, 1000));
        arrive(intake, OTHER, block(0, 0, 1000));

        runStorageTasks();

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0), new Event.PieceStored(OTHER, 0));
        assertThat(ByteBuffer.wrap(target, 0, 1000)).isEqualTo(ByteBuffer.wrap(source, 0, 1000));
        assertBuffersAreBack();
    }

    @Test
    void afterACorruptPieceThatOfAnotherPeerIsKept() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.expect(0, OTHER);
        PieceBlock right = block(0, 0, 1000);
        source[3] ^= 1;
        send(intake, PEER, right);
        source[3] ^= 1;
        send(intake, OTHER, right);

        assertThat(events).containsExactly(new Event.PieceCorrupt(PEER, 0), new Event.PieceStored(OTHER, 0));
        assertBuffersAreBack();
    }

    @Test
    void whatCrossesItsCancelIsNotOwedButTaken() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.cancel(0, PEER);
        assertThat(intake.isOwedBy(PEER)).isFalse();

        arrive(intake, PEER, block(0, 0, 400));
        intake.expect(0, PEER);
        assertThat(intake.isOwedBy(PEER)).isTrue();
        send(intake, PEER, block(0, 400, 600));

        assertThat(events).containsExactly(new Event.PieceStored(PEER, 0));
    }

    @Test
    void nobodyElseWritesToThePlaceOfAPieceInMemory() {
        ByteBuffer direct = ByteBuffer.allocateDirect(2500);
        storage = Storage.of(direct);
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.expect(0, OTHER);
        List<Runnable> leaving = new ArrayList<>();
        BlockReader slow = new BlockReader() {
            @Override
            public void resume() {
                throw new AssertionError("it does not wait");
            }

            @Override
            public void leave(ByteBuf bytes, Runnable left) {
                leaving.add(left);
            }
        };
        ByteBuf place = intake.placeFor(PEER, block(0, 0, 1000), slow).bytes();
        assertThat(place).isNotNull();
        send(intake, OTHER, block(0, 0, 1000));

        assertThat(events).isEmpty();
        place.writeZero(500);
        leaving.forEach(Runnable::run);
        runStorageTasks();

        assertThat(events).containsExactly(new Event.PieceStored(OTHER, 0), new Event.PieceStored(PEER, 0));
        assertThat(direct.slice(0, 1000)).isEqualTo(ByteBuffer.wrap(source, 0, 1000));
    }

    @Test
    void theMemoryOfAPieceThatNobodyStoresAnyMoreIsGivenBack() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        intake.expect(1, PEER);
        arrive(intake, PEER, block(0, 0, 1000));
        arrive(intake, PEER, block(1, 0, 400));

        intake.close();

        assertBuffersAreBack();
        runStorageTasks();
        assertThat(events).isEmpty();
    }

    private void assertBuffersAreBack() {
        List<PieceBuffers.Lease> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            PieceBuffers.Lease lease = buffers.take(later -> {});
            assertThat(lease).as("buffer %s", i).isNotNull();
            all.add(lease);
        }
        all.forEach(PieceBuffers.Lease::release);
    }
}
