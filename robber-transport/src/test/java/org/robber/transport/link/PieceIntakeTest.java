package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.Storage;
import org.robber.core.manifest.DigestTable;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.storage.BufferStorage;

class PieceIntakeTest {
    private static final int PIECE_BYTES = 1000;
    private static final int PEER = 7;

    private final PieceLayout layout = new PieceLayout(2500, PIECE_BYTES);
    private final PieceHasher hasher = PieceHashers.named("xxh3-128");
    private final byte[] target = new byte[2500];
    private final byte[] source = new byte[2500];
    private final PieceBuffers buffers = new PieceBuffers(PIECE_BYTES, 2 * PIECE_BYTES);
    private final List<Event> events = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<Runnable> storageTasks = new ArrayList<>();
    private Storage storage = BufferStorage.of(ByteBuffer.wrap(target));

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
        return new PieceBlock(piece, offset, length, digest);
    }

    private void send(PieceIntake intake, int from, PieceBlock block) {
        ByteBuf place = intake.placeFor(from, block, () -> {}).bytes();
        if (place != null) {
            place.writeBytes(
                    source, (int) layout.offsetBytes(block.piece()) + block.offsetBytes(), block.lengthBytes());
            intake.received(block);
        }
        List<Runnable> due = new ArrayList<>(storageTasks);
        storageTasks.clear();
        due.forEach(Runnable::run);
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

        assertThat(intake.placeFor(8, block(0, 0, 1000), () -> {})).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(1, 0, 1000), () -> {})).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(0, 10, 100), () -> {})).isSameAs(BlockPlace.DISCARD);
        assertThat(intake.placeFor(PEER, block(2, 0, 1000), () -> {})).isSameAs(BlockPlace.DISCARD);
    }

    @Test
    void aPieceThatIsHereIsNotTakenAgain() {
        PieceIntake intake = intake();
        intake.expect(0, PEER);
        send(intake, PEER, block(0, 0, 1000));

        assertThat(intake.placeFor(PEER, block(0, 0, 1000), () -> {})).isSameAs(BlockPlace.DISCARD);
    }

    @Test
    void withoutMemoryTheSenderWaitsUntilAPieceIsStored() {
        PieceIntake intake = intake();
        List<String> resumed = new ArrayList<>();
        for (int piece = 0; piece < 3; piece++) {
            intake.expect(piece, PEER);
        }
        intake.placeFor(PEER, block(0, 0, 1000), () -> {});
        intake.placeFor(PEER, block(1, 0, 1000), () -> {});

        assertThat(intake.placeFor(PEER, block(2, 0, 500), () -> resumed.add("resumed")))
                .isSameAs(BlockPlace.WAIT);
        assertThat(resumed).isEmpty();
        send(intake, PEER, block(0, 0, 1000));

        assertThat(resumed).containsExactly("resumed");
        intake.close();
    }

    @Test
    void directMemoryIsReceivedInPlaceWithoutTheBudget() {
        ByteBuffer direct = ByteBuffer.allocateDirect(2500);
        storage = BufferStorage.of(direct);
        PieceIntake intake = intake();
        for (int piece = 0; piece < 3; piece++) {
            intake.expect(piece, PEER);
            send(intake, PEER, block(piece, 0, layout.lengthBytes(piece)));
        }

        assertThat(direct).isEqualTo(ByteBuffer.wrap(source));
        assertThat(events).hasSize(3);
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
}
