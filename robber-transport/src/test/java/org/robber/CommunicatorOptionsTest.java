package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Communicators whose calls have other options; {@link RandomCollectivesTest} makes all calls with many strategies. */
class CommunicatorOptionsTest {
    private static final int BYTES = 300_000;

    @Test
    void whatIsWrongIsRefusedBeforeAnythingIsSent() {
        ChannelOptions options = ChannelOptions.defaults();
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                if (world.rank() == 0) {
                    assertThatThrownBy(() -> world.withOptions(options.withStrategy("flatt")))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("no strategy is called 'flatt'");
                    assertThatThrownBy(() -> world.withOptions(options.withDigest("md5")))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("md5");
                }
                world.barrier();
            });
        }
    }

    @Test
    void optionsAreNeverNull() {
        ChannelOptions options = ChannelOptions.defaults();
        assertThatThrownBy(() -> options.withStrategy(null)).hasMessage("strategy is null");
        assertThatThrownBy(() -> options.withDigest(null)).hasMessage("digest is null");
        assertThatThrownBy(() -> options.withBandwidths(null)).hasMessage("bandwidths is null");
        assertThatThrownBy(() -> options.withOnLoss(null)).hasMessage("onLoss is null");
    }

    @Test
    void piecesForWhichThereIsNoMemoryAreRefusedBeforeAnythingIsSent() {
        ChannelOptions options =
                ChannelOptions.defaults().withPieceBytes((8 << 20) + 1).withMemoryBytes(8 << 20);
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                if (world.rank() == 0) {
                    assertThatThrownBy(() -> world.withOptions(options))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("pieceBytes: 8388609", "memoryBytes", "8388608");
                    assertThatThrownBy(() -> world.multicastChannel(options))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("pieceBytes: 8388609", "memoryBytes", "8388608");
                }
                world.barrier();
            });
        }
    }

    /** The memory of this process has no room for such pieces. */
    @Test
    void aPieceTakesNoMoreMemoryThanTheData() {
        ChannelOptions options =
                ChannelOptions.defaults().withPieceBytes(1 << 30).withMemoryBytes(4L << 30);
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                byte[] data = new byte[BYTES];
                data[7] = (byte) (world.rank() == 0 ? 7 : 0);
                try (MulticastChannel channel = world.multicastChannel(options)) {
                    channel.multicast(data);
                }
                assertThat(data[7]).isEqualTo((byte) 7);
                Communicator calls = world.withOptions(options);
                double[] sum = new double[BYTES];
                sum[7] = world.rank() + 1;
                calls.allReduce(sum, Op.SUM);
                assertThat(sum[7]).isEqualTo(3);
                calls.allToAll(sum, new double[BYTES]);
            });
        }
    }

    /** In a gather along a chain, what the last node has passes all others. */
    @Test
    void callsTakeTheWayOfTheirStrategy() {
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                Communicator chain = world.withOptions(ChannelOptions.defaults().withStrategy("chain"));
                ByteBuffer own = ByteBuffer.allocate(BYTES);
                own.put(BYTES - 1, (byte) (world.rank() + 1));
                ByteBuffer all = world.rank() == 0 ? ByteBuffer.allocate(4 * BYTES) : null;
                chain.gather(own, all, 0);
                for (int rank = 0; all != null && rank < 4; rank++) {
                    assertThat(all.get((rank + 1) * BYTES - 1)).isEqualTo((byte) (rank + 1));
                }
            });
        }
    }

    @Test
    void plansOfSeveralTreesLeaveOtherCallsToTheDefault() {
        try (LocalJob job = Robber.local(2, 1)) {
            job.run(world -> {
                Communicator balanced =
                        world.withOptions(ChannelOptions.defaults().withStrategy("balanced"));
                double[] sum = new double[BYTES];
                sum[7] = world.rank() + 1;
                balanced.allReduce(sum, Op.SUM);
                assertThat(sum[7]).isEqualTo(3);
            });
        }
    }
}
