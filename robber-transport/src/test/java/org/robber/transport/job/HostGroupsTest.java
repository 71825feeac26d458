package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.Communicator;

/** A job whose nodes are on two hosts, and whose clusters have nodes of both. */
class HostGroupsTest {
    private static final int NODES = 5;

    @Test
    void theNodesOfEachHostHaveAGroup() throws Exception {
        try (MortalJob job = new MortalJob(options -> options.withHostName("host-" + options.rank() % 2), 2, 3)) {
            job.start(world -> {
                int[] mates = IntStream.range(0, NODES)
                        .filter(rank -> rank % 2 == world.rank() % 2)
                        .toArray();
                Communicator host = world.splitByHost();
                int[] gathered = new int[host.size()];
                host.allGather(new int[] {world.rank()}, gathered);
                assertThat(gathered).isEqualTo(mates);
                assertThat(host.hostName(0)).isEqualTo("host-" + world.rank() % 2);
                long[] large = new long[20_000];
                large[0] = host.rank() == 0 ? 7 : 0;
                host.bcast(large, 0);
                assertThat(large[0]).isEqualTo(7);
            });
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }
}
