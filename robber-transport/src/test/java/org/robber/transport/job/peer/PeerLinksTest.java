package org.robber.transport.job.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.transport.job.Cluster;
import org.robber.transport.link.PeerLink;

class PeerLinksTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void aConnectionThatBreaksNowAndThenIsMadeAgainForEver() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (Cluster cluster = new Cluster(1, 2)) {
            PeerLinks zero = new PeerLinks(cluster.context(0), 0, nanos::get);
            PeerLinks one = new PeerLinks(cluster.context(1), 0, nanos::get);
            Topology topology = Topology.ofSizes(2);
            MulticastGroup group = MulticastGroup.without(Set.of(), topology);
            Overlay overlay = Strategies.byName("robber").planOverlay(topology, 1);
            CompletableFuture<Void> opened = zero.open(group, overlay);
            one.open(group, overlay).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            opened.get(LIMIT.toSeconds(), TimeUnit.SECONDS);

            for (int breaks = 0; breaks < 12; breaks++) {
                nanos.addAndGet(ReconnectBudget.MOST_SOUND_NANOS);
                PeerLink broken = one.all().get(0);
                broken.channel().close();
                Awaitility.await()
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(5))
                        .untilAsserted(() -> {
                            assertThat(one.all()).hasSize(1).doesNotContain(broken);
                            assertThat(one.all().get(0).channel().isActive()).isTrue();
                        });
            }
            zero.close();
            one.close();
        }
    }
}
