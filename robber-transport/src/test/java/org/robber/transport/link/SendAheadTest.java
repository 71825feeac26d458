package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;

class SendAheadTest {
    private static final double NANOS_PER_SECOND = 1e9;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long nowNanos;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aSlowLineGetsSmallBlocks() {
        SendAhead ahead = SendAhead.at(Distance.OTHER_CLUSTER, channel);
        carry(ahead, 200_000, 2);

        assertThat(ahead.blockBytes()).isEqualTo(SendAhead.SMALLEST_BLOCK_BYTES);
    }

    @Test
    void aFastLineGetsLargeOnesAndASmallOneAgainWhenItSlowsDown() {
        SendAhead ahead = SendAhead.at(Distance.OTHER_CLUSTER, channel);
        carry(ahead, 100_000_000, 2);
        assertThat(ahead.blockBytes()).isEqualTo(SendAhead.LARGEST_BLOCK_BYTES);

        carry(ahead, 1_000_000, 2);
        // 1 MB/s for 150 ms in three blocks is 50 KB: that is half of 64 KiB, and no less
        assertThat(ahead.blockBytes()).isEqualTo(64 << 10);
    }

    @Test
    void pausesSayNothingOfTheLine() {
        SendAhead ahead = SendAhead.at(Distance.OTHER_CLUSTER, channel);
        carry(ahead, 100_000_000, 2);
        for (int i = 0; i < 100; i++) {
            nowNanos += 1_000_000_000;
            carry(ahead, 100_000_000, 0.001);
        }

        assertThat(ahead.blockBytes()).isEqualTo(SendAhead.LARGEST_BLOCK_BYTES);
    }

    @Test
    void aMateGetsLargeBlocksWhateverItsRate() {
        SendAhead ahead = SendAhead.at(Distance.SAME_CLUSTER, channel);
        carry(ahead, 200_000, 10);

        assertThat(ahead.blockBytes()).isEqualTo(SendAhead.LARGEST_BLOCK_BYTES);
    }

    @Test
    void aProcessOfTheSameMachineGetsWholePieces() {
        SendAhead ahead = SendAhead.at(Distance.SAME_MACHINE, channel);
        carry(ahead, 200_000, 10);

        assertThat(ahead.blockBytes())
                .isEqualTo(PieceLayout.insideMachine(1L << 40).pieceBytes());
    }

    @Test
    void threeBlocksFitAndMoreAreWantedWhenLessThanOneIsLeft() {
        SendAhead ahead = SendAhead.at(Distance.SAME_CLUSTER, channel);
        int blocks = 0;
        while (ahead.hasRoom()) {
            ahead.handedOver(ahead.blockBytes(), nowNanos);
            blocks++;
        }
        assertThat(blocks).isEqualTo(SendAhead.BLOCKS);

        ahead.left(ahead.blockBytes(), nowNanos);
        ahead.left(ahead.blockBytes(), nowNanos);
        assertThat(ahead.isLow()).isFalse();
        ahead.left(ahead.blockBytes(), nowNanos);
        assertThat(ahead.isLow()).isTrue();
    }

    /** A line of this rate carries blocks for so long. */
    private void carry(SendAhead ahead, double bytesPerSecond, double seconds) {
        long endNanos = nowNanos + (long) (seconds * NANOS_PER_SECOND);
        while (nowNanos < endNanos) {
            int bytes = ahead.blockBytes();
            while (ahead.hasRoom()) {
                ahead.handedOver(bytes, nowNanos);
            }
            while (!ahead.isLow()) {
                nowNanos += (long) (bytes / bytesPerSecond * NANOS_PER_SECOND);
                ahead.left(bytes, nowNanos);
                if (bytes != ahead.blockBytes()) {
                    drain(ahead, bytes);
                    break;
                }
            }
        }
        drain(ahead, ahead.blockBytes());
    }

    private void drain(SendAhead ahead, int bytes) {
        for (int i = 0; i < SendAhead.BLOCKS && !ahead.isLow(); i++) {
            ahead.left(bytes, nowNanos);
        }
    }
}
