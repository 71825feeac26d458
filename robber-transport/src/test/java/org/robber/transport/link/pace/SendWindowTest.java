package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;

class SendWindowTest {
    private static final double NANOS_PER_SECOND = 1e9;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long nowNanos;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aSlowLineGetsSmallBlocks() {
        SendWindow window = SendWindow.at(Distance.OTHER_CLUSTER, channel);
        carry(window, 200_000, 2);

        assertThat(window.blockBytes()).isEqualTo(SendWindow.SMALLEST_BLOCK_BYTES);
    }

    @Test
    void aFastLineGetsLargeOnesAndASmallOneAgainWhenItSlowsDown() {
        SendWindow window = SendWindow.at(Distance.OTHER_CLUSTER, channel);
        carry(window, 100_000_000, 2);
        assertThat(window.blockBytes()).isEqualTo(SendWindow.LARGEST_BLOCK_BYTES);

        carry(window, 1_000_000, 2);
        // 1 MB/s for 150 ms in three blocks is 50 KB: that is half of 64 KiB, and no less
        assertThat(window.blockBytes()).isEqualTo(64 << 10);
    }

    @Test
    void pausesSayNothingOfTheLine() {
        SendWindow window = SendWindow.at(Distance.OTHER_CLUSTER, channel);
        carry(window, 100_000_000, 2);
        for (int i = 0; i < 100; i++) {
            nowNanos += 1_000_000_000;
            carry(window, 100_000_000, 0.001);
        }

        assertThat(window.blockBytes()).isEqualTo(SendWindow.LARGEST_BLOCK_BYTES);
    }

    @Test
    void aMateGetsLargeBlocksWhateverItsRate() {
        SendWindow window = SendWindow.at(Distance.SAME_CLUSTER, channel);
        carry(window, 200_000, 10);

        assertThat(window.blockBytes()).isEqualTo(SendWindow.LARGEST_BLOCK_BYTES);
    }

    @Test
    void aProcessOfTheSameMachineGetsWholePieces() {
        SendWindow window = SendWindow.at(Distance.SAME_MACHINE, channel);
        carry(window, 200_000, 10);

        assertThat(window.blockBytes())
                .isEqualTo(PieceLayout.insideMachine(1L << 40).pieceBytes());
    }

    @Test
    void threeBlocksFitAndMoreAreWantedWhenLessThanOneIsLeft() {
        SendWindow window = SendWindow.at(Distance.SAME_CLUSTER, channel);
        int blocks = 0;
        while (window.hasRoom()) {
            window.handedOver(window.blockBytes(), nowNanos);
            blocks++;
        }
        assertThat(blocks).isEqualTo(SendWindow.BLOCKS);

        window.left(window.blockBytes(), nowNanos);
        window.left(window.blockBytes(), nowNanos);
        assertThat(window.isLow()).isFalse();
        window.left(window.blockBytes(), nowNanos);
        assertThat(window.isLow()).isTrue();
    }

    /** A line of this rate carries blocks for so long. */
    private void carry(SendWindow window, double bytesPerSecond, double seconds) {
        long endNanos = nowNanos + (long) (seconds * NANOS_PER_SECOND);
        while (nowNanos < endNanos) {
            int bytes = window.blockBytes();
            while (window.hasRoom()) {
                window.handedOver(bytes, nowNanos);
            }
            while (!window.isLow()) {
                nowNanos += (long) (bytes / bytesPerSecond * NANOS_PER_SECOND);
                window.left(bytes, nowNanos);
                if (bytes != window.blockBytes()) {
                    drain(window, bytes);
                    break;
                }
            }
        }
        drain(window, window.blockBytes());
    }

    private void drain(SendWindow window, int bytes) {
        for (int i = 0; i < SendWindow.BLOCKS && !window.isLow(); i++) {
            window.left(bytes, nowNanos);
        }
    }
}
