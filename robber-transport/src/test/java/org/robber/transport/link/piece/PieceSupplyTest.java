package org.robber.transport.link.piece;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.link.SlowStorage;
import org.robber.transport.link.piece.PieceBuffers.Lease;
import org.robber.transport.manifest.DigestTable;

class PieceSupplyTest {
    private static final int PIECE_BYTES = 100;

    private final PieceLayout layout = new PieceLayout(400, PIECE_BYTES);
    private final PieceHasher hasher = PieceHashers.named("xxh3-128");
    private final byte[] source = new byte[400];
    private final PieceBuffers buffers = new PieceBuffers(PIECE_BYTES, 2 * PIECE_BYTES, PieceBuffers.OF_PROCESS);
    private final PieceBuffers arrived = new PieceBuffers(PIECE_BYTES, 8 * PIECE_BYTES, PieceBuffers.OF_PROCESS);
    private final ArrayDeque<Runnable> storageTasks = new ArrayDeque<>();
    private final List<OutgoingPiece> ready = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    private PieceSupply supply(Storage storage) {
        return new PieceSupply(
                layout,
                storage,
                piece -> true,
                /* encrypted= */ false,
                hasher,
                new PieceDigests(new DigestTable(4, hasher.digestBytes()), () -> {}),
                buffers,
                arrived,
                storageTasks::add,
                failures::add);
    }

    @AfterEach
    void close() {
        ready.forEach(OutgoingPiece::release);
        buffers.close();
        arrived.close();
    }

    private void runStorageTasks() {
        for (Runnable task = storageTasks.poll(); task != null; task = storageTasks.poll()) {
            task.run();
        }
    }

    @Test
    void whatIsAskedForFirstGetsItsBufferFirst() {
        PieceSupply supply = supply(new SlowStorage(Storage.of(ByteBuffer.wrap(source))));
        List<Integer> order = new ArrayList<>();
        for (int piece = 0; piece < 4; piece++) {
            int asked = piece;
            supply.open(piece, bytes -> {
                order.add(asked);
                ready.add(bytes);
            });
        }

        // With two buffers, the reads of two pieces are all there is to do, whichever thread does which.
        assertThat(storageTasks).hasSize(2);
        storageTasks.addFirst(storageTasks.removeLast());
        runStorageTasks();
        assertThat(order).containsExactly(1, 0);

        ready.remove(0).release();
        runStorageTasks();
        assertThat(order).containsExactly(1, 0, 2);
        ready.remove(0).release();
        runStorageTasks();
        assertThat(order).containsExactly(1, 0, 2, 3);
        assertThat(failures).isEmpty();
    }

    @Test
    void aSourceThatChangesBetweenTwoReadsIsNotTakenForACorruptPiece() {
        PieceSupply supply = supply(new SlowStorage(Storage.of(ByteBuffer.wrap(source))));
        supply.open(0, ready::add);
        supply.open(0, ready::add);
        storageTasks.remove().run();
        source[50]++;

        runStorageTasks();

        assertThat(ready).hasSize(1);
        assertThat(failures)
                .singleElement()
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE_CHANGED));
    }

    @Test
    void afterTheEndTheUserMayChangeTheSource() {
        ByteBuffer memory = ByteBuffer.allocateDirect(400);
        PieceSupply supply = supply(new SlowStorage(Storage.of(memory)));
        supply.open(0, ready::add);
        supply.open(0, ready::add);
        storageTasks.remove().run();
        supply.close();
        memory.put(50, (byte) 1);

        runStorageTasks();

        assertThat(ready).hasSize(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void memoryThatCannotBeHadIsAFailure() {
        OutOfMemoryError none = new OutOfMemoryError("no direct memory");
        PieceSupply supply = supply(new Storage() {
            @Override
            public long sizeBytes() {
                return source.length;
            }

            @Override
            public void read(long offsetBytes, ByteBuffer target) {
                throw none;
            }

            @Override
            public void write(long offsetBytes, ByteBuffer bytes) {
                throw none;
            }

            @Override
            public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
                throw none;
            }

            @Override
            public void close() {}
        });
        supply.open(0, ready::add);
        assertThat(failures).containsExactly(none);
    }

    @Test
    void smallPiecesInMemoryAreReadyAtOnceAndAreReadOnAnotherThreadIfNobodyWaits() {
        PieceSupply supply = supply(Storage.of(ByteBuffer.wrap(source)));
        supply.open(2, ready::add);
        assertThat(ready).hasSize(1);
        assertThat(storageTasks).isEmpty();

        supply.learnAll();
        assertThat(storageTasks).hasSize(1);
        runStorageTasks();
        assertThat(failures).isEmpty();
    }

    /** Small files share pieces, and would all be opened once more. */
    @Test
    void aPieceThatCameAShortTimeAgoIsNotReadBackAgain() {
        DigestTable digests = new DigestTable(4, hasher.digestBytes());
        digests.set(0, new byte[16]);
        digests.set(1, new byte[16]);
        PieceSupply supply = new PieceSupply(
                layout,
                new SlowStorage(Storage.of(ByteBuffer.wrap(source))),
                piece -> false,
                /* encrypted= */ false,
                hasher,
                new PieceDigests(digests, () -> {}),
                buffers,
                arrived,
                storageTasks::add,
                failures::add);
        supply.open(0, ready::add);
        assertThat(storageTasks).as("read back").hasSize(1);
        runStorageTasks();

        Lease lease = arrived.take(later -> {});
        assertThat(lease).isNotNull();
        lease.bytes().setByte(7, 99);
        arrived.keep(1, lease);
        lease.release();
        supply.open(1, ready::add);
        assertThat(storageTasks).isEmpty();
        assertThat(ready).hasSize(2);
        ByteBuf block = (ByteBuf) ready.get(1).block(0, PIECE_BYTES);
        assertThat(block.getByte(7)).isEqualTo((byte) 99);
        block.release();
        assertThat(failures).isEmpty();
    }

    @Test
    void aBufferIsGivenBackWhenNobodyIsThereToRead() {
        PieceSupply supply = new PieceSupply(
                layout,
                new SlowStorage(Storage.of(ByteBuffer.wrap(source))),
                piece -> true,
                /* encrypted= */ false,
                hasher,
                new PieceDigests(new DigestTable(4, hasher.digestBytes()), () -> {}),
                buffers,
                arrived,
                task -> {
                    throw new RejectedExecutionException("over");
                },
                failures::add);
        for (int piece = 0; piece < 3; piece++) {
            supply.open(piece, ready::add);
        }

        assertThat(failures).hasSize(3);
        assertThat(ready).isEmpty();
    }
}
