package org.robber.cli.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;

class ParentLinkTest {

    private final CountDownLatch gone = new CountDownLatch(1);

    @Test
    void hearsSecretAndPortAndTheEnd() throws IOException, InterruptedException {
        PipedOutputStream parent = new PipedOutputStream();
        ParentLink link = ParentLink.listen(new PipedInputStream(parent), gone::countDown);
        parent.write("secret c0ffee\nrendezvous 4711\n".getBytes(US_ASCII));
        parent.flush();

        assertThat(link.secret()).containsExactly(0xc0, 0xff, 0xee);
        assertThat(link.port(Duration.ofMinutes(1))).isEqualTo(4711);
        assertThat(gone.getCount()).isEqualTo(1);

        parent.close();
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Its machine may be gone without a word to this one. */
    @Test
    @Timeout(20)
    void aSilentParentIsNotWaitedForWithoutALimit() throws IOException {
        PipedOutputStream parent = new PipedOutputStream();
        try (ParentLink link = ParentLink.listen(new PipedInputStream(parent), gone::countDown)) {
            parent.write('\n');
            parent.flush();

            assertThatThrownBy(() -> link.order(Duration.ofSeconds(1)))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("has sent nothing for 1 s");
        }
    }

    @Test
    @Timeout(20)
    void theSilenceOfTheParentCountsFromItsLastLine() throws IOException {
        AtomicLong nanos = new AtomicLong();
        PipedOutputStream parent = new PipedOutputStream();
        try (ParentLink link = ParentLink.listen(new PipedInputStream(parent), gone::countDown, nanos::get)) {
            parent.write("secret 00\n".getBytes(US_ASCII));
            parent.flush();
            assertThat(link.secret()).containsExactly(0);
            nanos.addAndGet(Duration.ofMinutes(10).toNanos());

            assertThatThrownBy(() -> link.order(Duration.ofMinutes(10)))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("has sent nothing for 600 s");
        }
    }

    @Test
    @Timeout(20)
    void whoIsThroughReadsNoMore() throws IOException, InterruptedException {
        Pipe pipe = Pipe.open();
        ParentLink link = ParentLink.listen(Channels.newInputStream(pipe.source()), gone::countDown);
        assertThat(pipe.sink().write(ByteBuffer.wrap("secret 00\n".getBytes(US_ASCII))))
                .isPositive();
        assertThat(link.secret()).containsExactly(0);

        link.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("parent-link"));
        assertThat(pipe.source().isOpen()).isFalse();
        pipe.sink().close();
        assertThat(gone.getCount()).as("the parent is not gone").isEqualTo(1);
    }

    /** As a node gets it: standard input is a channel of files, and what it leads to is a pipe. */
    @Test
    @Timeout(20)
    void dataComeThroughAPipe(@TempDir Path folder) throws IOException, InterruptedException {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        byte[] sent = new byte[300_000];
        new Random(1).nextBytes(sent);
        Thread parent = new Thread(() -> {
            try (OutputStream out = Files.newOutputStream(fifo)) {
                out.write(("data " + sent.length + "\n").getBytes(US_ASCII));
                out.write(sent);
                out.write("data 0\n".getBytes(US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        parent.start();
        try (FileInputStream standardInput = new FileInputStream(fifo.toFile());
                ParentLink link = ParentLink.listen(ParentLink.bytesOf(standardInput.getChannel()), gone::countDown)) {
            assertThat(Channels.newInputStream(link.data()).readAllBytes()).isEqualTo(sent);
        }
        parent.join();
    }

    @Test
    void whoWaitsForAParentThatIsGoneIsTold() throws InterruptedException {
        ParentLink link =
                ParentLink.listen(new ByteArrayInputStream("secret 00\n".getBytes(US_ASCII)), gone::countDown);

        assertThat(link.secret()).containsExactly(0);
        assertThatThrownBy(() -> link.port(Duration.ofMinutes(1)))
                .isInstanceOf(RobberException.class)
                .hasMessage("rank 0, or the process that started this node, has ended");
        assertThatThrownBy(() -> link.order(Duration.ofMinutes(1)))
                .hasMessage("the process that started this node has ended");
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** The process of rank 0 may be stopped before it listens. */
    @Test
    @Timeout(20)
    void doesNotWaitForThePortWithoutEnd() throws IOException {
        try (PipedOutputStream parent = new PipedOutputStream();
                ParentLink link = ParentLink.listen(new PipedInputStream(parent), gone::countDown)) {
            assertThatThrownBy(() -> link.port(Duration.ofMillis(10)))
                    .isInstanceOf(RobberException.class)
                    .hasMessageStartingWith("rank 0 has not begun to listen within");
        }
    }

    @Test
    void dataComeInFramesAndEndWithAnEmptyOne() throws IOException {
        byte[] link = "secret 00\ndata 4\na\nb\u0001data 1\ncdata 0\n".getBytes(US_ASCII);
        ReadableByteChannel data = ParentLink.listen(new ByteArrayInputStream(link), gone::countDown)
                .data();
        assertThat(read(data, 3)).isEqualTo("a\nb");
        assertThat(read(data, 3)).isEqualTo("\u0001");
        assertThat(read(data, 3)).isEqualTo("c");
        assertThat(data.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(data.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void theEndOfTheLinkInsideOfAFrameIsNoEndOfTheData() throws Exception {
        byte[] link = "data 2\nabdata 9\ncut".getBytes(US_ASCII);
        ReadableByteChannel data = ParentLink.listen(new ByteArrayInputStream(link), gone::countDown)
                .data();
        assertThat(read(data, 9)).isEqualTo("ab");
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        Thread reader = new Thread(() ->
                assertThatThrownBy(() -> data.read(ByteBuffer.allocate(9))).hasMessageContaining("interrupted"));
        reader.start();
        while (reader.getState() != Thread.State.WAITING) {
            assertThat(reader.isAlive()).as("waits for more").isTrue();
            Thread.onSpinWait();
        }
        reader.interrupt();
        reader.join();
    }

    @Test
    void theReaderHearsWhyDataBreakOff() {
        byte[] link = "data 1\nabroken Input/output error\n".getBytes(US_ASCII);
        ReadableByteChannel data = ParentLink.listen(new ByteArrayInputStream(link), gone::countDown)
                .data();
        assertThatThrownBy(() -> {
                    while (data.read(ByteBuffer.allocate(9)) >= 0) {
                        // until it fails
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("Input/output error");
    }

    private static String read(ReadableByteChannel data, int most) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(most);
        assertThat(data.read(bytes)).isPositive();
        return US_ASCII.decode(bytes.flip()).toString();
    }
}
