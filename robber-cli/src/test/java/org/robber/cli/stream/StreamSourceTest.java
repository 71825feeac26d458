package org.robber.cli.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StreamSourceTest {
    private static final int CHUNK_BYTES = 4;

    @Test
    void whatHasComeIsAChunkAndNoChunkIsLargerThanItsBuffer() throws Exception {
        Pipe pipe = Pipe.open();
        StreamSource source = StreamSource.start("a pipe", pipe::source, ByteBuffer.allocate(CHUNK_BYTES));
        write(pipe, "ab");
        assertThat(next(source)).isEqualTo("ab");
        write(pipe, "cdefghi");
        StringBuilder rest = new StringBuilder();
        while (rest.length() < 7) {
            String chunk = next(source);
            assertThat(chunk).hasSizeBetween(1, CHUNK_BYTES);
            rest.append(chunk);
        }
        assertThat(rest).hasToString("cdefghi");
        pipe.sink().close();
        assertThat(next(source)).as("the end").isEmpty();
    }

    @Test
    void anInputThatCannotBeReadIsAFailureOfTheSource() {
        StreamSource source = StreamSource.start("a tape", Broken::new, ByteBuffer.allocate(CHUNK_BYTES));
        assertThatThrownBy(() -> next(source))
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE))
                .hasMessageContaining("cannot read a tape any further")
                .hasMessageContaining("torn");
    }

    @Test
    void aFailureOfTheJobEndsTheWaitForInput() throws Exception {
        Pipe pipe = Pipe.open();
        StreamSource source = StreamSource.start("a pipe", pipe::source, ByteBuffer.allocate(CHUNK_BYTES));
        RobberException failure = new RobberException(Reason.NETWORK, List.of(2), "transfer", "rank 2 is lost");
        Thread failing = new Thread(() -> source.fail(failure));
        failing.start();
        assertThatThrownBy(() -> next(source)).isSameAs(failure);
        failing.join();
        pipe.sink().close();
    }

    private static String next(StreamSource source) throws InterruptedException {
        ByteBuffer chunk = source.next(ByteBuffer.allocate(CHUNK_BYTES));
        return US_ASCII.decode(chunk).toString();
    }

    private static void write(Pipe pipe, String text) throws IOException {
        assertThat(pipe.sink().write(ByteBuffer.wrap(text.getBytes(US_ASCII)))).isEqualTo(text.length());
    }

    private static final class Broken implements ReadableByteChannel {
        @Override
        public int read(ByteBuffer target) throws IOException {
            throw new IOException("torn");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
