package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs compute between their calls, for longer than a transfer may stand still. */
class PausesTest {
    private static final Duration LIMIT = Duration.ofMillis(400);
    private static final Duration PAUSE = LIMIT.multipliedBy(3);

    /** Of few bytes, which are published, and of many, in pieces or through memory. */
    @ParameterizedTest
    @CsvSource({"16, false", "500000, false", "500000, true"})
    void aMulticastMayFollowAfterAnyTime(int bytes, boolean sharesMemory) throws Exception {
        try (LocalJob job = Robber.local(2, 2, options -> options.withStallTimeout(LIMIT))) {
            job.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withSharedMemory(sharesMemory))) {
                    for (byte value = 1; value <= 2; value++) {
                        ByteBuffer data = ByteBuffer.allocate(bytes);
                        if (world.rank() == 0) {
                            data.put(bytes - 1, value);
                        }
                        channel.multicast(data);
                        Thread.sleep(PAUSE.toMillis());
                        assertThat(data.get(bytes - 1)).isEqualTo(value);
                    }
                }
            });
        }
    }
}
