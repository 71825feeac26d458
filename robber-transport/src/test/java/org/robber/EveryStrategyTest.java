package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.RobberException.Reason;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.BandwidthMap;

/** All strategies over real connections. */
class EveryStrategyTest {
    private static final int BYTES = 3_000_001;

    static List<String> strategies() {
        List<String> names = new ArrayList<>(Strategies.names());
        names.add("bittorrent:rarest,endgame");
        return names;
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void bringsEverythingToEveryoneFromAnyRoot(String strategy) throws Exception {
        byte[] data = new byte[BYTES];
        new Random(7).nextBytes(data);
        ChannelOptions options =
                ChannelOptions.defaults().withStrategy(strategy).withPieceBytes(1 << 15);
        try (LocalJob job = Robber.local(3, 2)) {
            job.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(options)) {
                    for (int root : new int[] {0, 3, 0}) {
                        ByteBuffer mine = ByteBuffer.allocateDirect(BYTES);
                        if (world.rank() == root) {
                            mine.put(data).flip();
                        }
                        channel.multicast(Storage.of(mine), root);
                        channel.flush();
                        byte[] received = new byte[BYTES];
                        mine.clear().get(received);
                        assertThat(received).isEqualTo(data);
                    }
                }
            });
        }
    }

    @Test
    void bandwidthsThatMissAPairAreNamed() throws Exception {
        ChannelOptions options = ChannelOptions.defaults()
                .withStrategy("balanced")
                .withBandwidths(BandwidthMap.builder().link("A", "B", 1e6).build());
        try (LocalJob job = Robber.local(2, 1)) {
            assertThatThrownBy(() -> job.run(world -> world.multicastChannel(options)))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                    .hasMessageContaining("there is no link B-A: give it a rate, or 0");
        }
    }
}
