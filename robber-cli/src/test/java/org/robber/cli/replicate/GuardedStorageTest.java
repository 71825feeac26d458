package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.cli.request.ReceivingLimits;

class GuardedStorageTest {
    private static final int PIECE = 1 << 20;

    @TempDir
    Path folder;

    private int verified;

    private final Storage target = new Storage() {
        @Override
        public long sizeBytes() {
            return 100L * PIECE;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer into) {}

        @Override
        public void write(long offsetBytes, ByteBuffer source) {}

        @Override
        public void verified(long offsetBytes, int lengthBytes, byte[] digest) {
            verified++;
        }

        @Override
        public void close() {}
    };

    private ReceivingLimits limits(long keepFreeBytes) {
        return new ReceivingLimits(List.of(folder), Long.MAX_VALUE, keepFreeBytes);
    }

    private static void receive(GuardedStorage guarded, int pieces) throws IOException {
        for (int i = 0; i < pieces; i++) {
            guarded.verified((long) i * PIECE, PIECE, new byte[16]);
        }
    }

    @Test
    void aCopyGoesOnWhileThereIsRoom() throws IOException {
        receive(new GuardedStorage(target, folder, limits(1)), 40);
        assertThat(verified).isEqualTo(40);
    }

    /** As when others use up the room. */
    @Test
    void aCopyEndsSoonAfterTheRoomHasBecomeTooLittle() {
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> receive(
                        new GuardedStorage(target, folder, limits(Long.MAX_VALUE), /* unchecked= */ new AtomicLong()),
                        40))
                .withMessageContaining("must stay free there")
                .matches(failure -> failure.reason() == Reason.DESTINATION);
        assertThat(verified).isEqualTo(15);
    }

    /** Many small copies may not use up the room either. */
    @Test
    void theFirstPieceNeedsRoom() {
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> receive(new GuardedStorage(target, folder, limits(Long.MAX_VALUE)), 1))
                .withMessageContaining("must stay free there");
        assertThat(verified).isZero();
    }
}
