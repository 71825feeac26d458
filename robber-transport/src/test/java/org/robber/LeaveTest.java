package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node leaves the job while a thread of its program is in a call. */
@Timeout(60)
class LeaveTest {
    private static final int BYTES = 4 << 20;

    /** Data that cannot be read before the end of the test. */
    private record Late(CountDownLatch begun, CountDownLatch end) implements Storage {
        @Override
        public long sizeBytes() {
            return BYTES;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            target.position(target.limit());
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {}

        @Override
        public void close() {}
    }

    private static JobOptions options(int rank, int port) {
        return JobOptions.of("leave", "127.0.0.1", port, rank, 2).withCluster("A");
    }

    @Test
    void aCallOfManyBytesEndsWhenItsNodeLeaves() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> joining =
                CompletableFuture.supplyAsync(() -> Robber.join(options(0, 0), port::complete));
        Robber leaving = Robber.join(options(1, port.get(30, TimeUnit.SECONDS)));
        try (Robber root = joining.get(30, TimeUnit.SECONDS)) {
            Operation<Void> unused = root.world().iBcast(new Late(begun, end), 0);
            Operation<Void> call = leaving.world().iBcast(new byte[BYTES], 0);
            begun.await();
            CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> catchThrowable(call::await));
            leaving.close();
            assertThat(thrown.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("has left the job itself");
        } finally {
            end.countDown();
        }
    }
}
