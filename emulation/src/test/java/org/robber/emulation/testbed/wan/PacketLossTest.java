package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacketLossTest {

    private static final int PACKETS = 100_000;

    @Test
    void theShareIsLost() {
        assertThat(struck(1, 0, 0.02)).hasSizeBetween(1_850, 2_150);
    }

    @Test
    void nothingIsLostOnACleanLink() {
        assertThat(struck(1, 0, 0)).isEmpty();
    }

    @Test
    void theSameSeedLosesTheSamePackets() {
        assertThat(struck(7, 3, 0.01)).isEqualTo(struck(7, 3, 0.01));
    }

    @Test
    void linksLoseIndependently() {
        assertThat(struck(7, 3, 0.01)).isNotEqualTo(struck(7, 4, 0.01));
        assertThat(struck(7, 3, 0.01)).isNotEqualTo(struck(8, 3, 0.01));
    }

    private static int[] struck(long seed, int link, double share) {
        PacketLoss loss = new PacketLoss(seed, link);
        loss.change(share);
        return IntStream.range(0, PACKETS).filter(i -> loss.strikes()).toArray();
    }
}
