package org.robber.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import org.robber.cli.serve.Frames.Frame;

/**
 * Fuzz target for what operators and daemons send to each other. An ordinary build replays the inputs kept among the test resources; with {@code
 * JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class FramesFuzzTest {

    @FuzzTest(maxDuration = "1m")
    void read(byte[] bytes) {
        try {
            Frames frames = new Frames(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
            for (Frame frame = frames.read(); frame != null; frame = frames.read()) {
                assertThat(frame.bytes()).hasSizeLessThanOrEqualTo(Frames.MOST_BYTES);
                switch (frame.kind()) {
                    case START ->
                        assertThat(StartRequest.of(frame.bytes()).build()).isNotNull();
                    case READY ->
                        assertThat(Started.of(frame.bytes()).operator()).isNotNull();
                    default -> assertThat(frame.text()).isNotNull();
                }
            }
        } catch (IOException refused) {
            assertThat(refused.getClass()).isIn(IOException.class, EOFException.class, UTFDataFormatException.class);
        }
    }
}
