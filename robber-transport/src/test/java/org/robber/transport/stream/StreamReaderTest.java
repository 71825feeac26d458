package org.robber.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.StreamOptions;

class StreamReaderTest {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch mayClose = new CountDownLatch(1);

    /** The nodes of a stream that ends at once. They close their group when the test lets them. */
    private Communicator nodes() {
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(),
                new Class<?>[] {Communicator.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closing.countDown();
                        mayClose.await();
                    }
                    return null;
                });
    }

    /** A program that leaves the job after the end would fail the call by which the others close the group. */
    @Test
    void theEndIsReadWhenTheOthersNeedThisNodeNoMore() throws Exception {
        MulticastStream stream = StreamReader.start(nodes(), 0, StreamOptions.defaults());
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> stream.read(ByteBuffer.allocate(1)));
        closing.await();
        Thread.sleep(50);
        assertThat(read).isNotDone();

        mayClose.countDown();
        assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
    }
}
