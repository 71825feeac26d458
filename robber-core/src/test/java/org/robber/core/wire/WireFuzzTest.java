package org.robber.core.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.robber.core.piece.PieceLayout;

/**
 * Fuzz targets, one per parser. An ordinary build replays the inputs kept among the test resources; with {@code
 * JAZZER_FUZZ=1} in the environment and {@code -Dtest=WireFuzzTest#peer}, Jazzer looks for new ones.
 */
class WireFuzzTest {

    /** Many pieces, so that sets have much room to be wrong in. */
    private static final MessageCodec CODEC = new MessageCodec(new PieceLayout(100_000, 100), 4);

    @FuzzTest(maxDuration = "1m")
    void peer(byte[] frame) {
        FrameParsers.accepts(FrameParsers.peer(CODEC), frame);
        FrameParsers.accepts(FrameParsers.peer(Golden.CODEC), frame);
    }

    @FuzzTest(maxDuration = "1m")
    void greeting(byte[] bytes) {
        FrameParsers.accepts(FrameParsers::hello, bytes);
        FrameParsers.accepts(FrameParsers::challenge, bytes);
        FrameParsers.accepts(FrameParsers::proof, bytes);
    }
}
