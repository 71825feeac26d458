package org.robber.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.robber.cli.message.Fields;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.Frames.Kind;

class FramesTest {

    private static Frames reading(byte[] bytes) {
        return new Frames(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
    }

    @Test
    void framesAreReadAsTheyWereWrittenAndLongOnesInParts() throws IOException {
        byte[] much = new byte[Frames.MOST_BYTES + 5];
        new Random(3).nextBytes(much);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Frames writing = new Frames(InputStream.nullInputStream(), bytes);
        writing.write(Kind.START, new StartRequest("robber-cli 1 (build x)", "sha256").toBytes());
        writing.write(Kind.READY, new Started(1234, "10.0.0.1").toBytes());
        writing.write(Kind.OUTPUT, much);
        writing.write(Kind.INPUT, new byte[0]);
        writing.write(Kind.REFUSED, "too many");

        Frames frames = reading(bytes.toByteArray());
        Frame start = frames.read();
        assertThat(start.kind()).isEqualTo(Kind.START);
        assertThat(StartRequest.of(start.bytes())).isEqualTo(new StartRequest("robber-cli 1 (build x)", "sha256"));
        assertThat(Started.of(frames.read().bytes())).isEqualTo(new Started(1234, "10.0.0.1"));
        assertThat(frames.read().bytes()).isEqualTo(Arrays.copyOf(much, Frames.MOST_BYTES));
        assertThat(frames.read().bytes()).isEqualTo(Arrays.copyOfRange(much, Frames.MOST_BYTES, much.length));
        assertThat(frames.read().bytes()).isEmpty();
        assertThat(frames.read().text()).isEqualTo("too many");
        assertThat(frames.read()).isNull();
    }

    /** Nothing is allocated for what is too long, and a frame that breaks off is no end. */
    @Test
    void whatIsNoFrameIsRefused() {
        assertThatIOException()
                .isThrownBy(() -> reading(new byte[] {5, 0x7F, 0, 0, 0}).read())
                .withMessage("it sent what is no frame: ERRORS of 2130706432 bytes");
        assertThatIOException()
                .isThrownBy(() -> reading(new byte[] {5, -1, 0, 0, 0}).read())
                .withMessageContaining("no frame");
        assertThatIOException()
                .isThrownBy(() -> reading(new byte[] {77, 0, 0, 0, 0}).read())
                .withMessageContaining("kind 77");
        assertThatIOException()
                .isThrownBy(() -> reading(new byte[] {5, 0, 0, 0, 3, 1}).read())
                .withMessage("it broke off in the middle of a message");
        assertThatIOException()
                .isThrownBy(() -> Started.of(new byte[] {1, 2, 3}))
                .withMessage("it broke off in the middle of a message");
    }

    /** A line of the log must not pretend to be another one. */
    @Test
    void aBuildOfTwoLinesIsRefused() {
        byte[] bytes = new StartRequest("robber-cli 1\nserve: the job has ended", "").toBytes();
        assertThatIOException().isThrownBy(() -> StartRequest.of(bytes)).withMessageContaining("more than a line");
    }

    /** The name of the build comes first in all versions, so that another one can be refused by its name. */
    @Test
    void theBuildOfAnotherVersionIsRead() throws IOException {
        byte[] short1 = Fields.write(out -> out.writeUTF("robber-cli 9"));
        assertThat(StartRequest.of(short1)).isEqualTo(new StartRequest("robber-cli 9", ""));
    }
}
