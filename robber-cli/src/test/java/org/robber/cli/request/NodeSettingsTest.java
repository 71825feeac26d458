package org.robber.cli.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.core.topology.BandwidthMap;

/** What nodes compare before they work together, and are shown if they differ. */
class NodeSettingsTest {
    private static final ChannelOptions BALANCED = ChannelOptions.defaults().withStrategy("balanced:safe");

    @Test
    void bandwidthsAreAnOptionOfTheirOwnAndShort() {
        assertThat(settings(BALANCED.withBandwidths(bandwidths(7))))
                .matches(
                        "replicate --strategy=balanced:safe --bandwidths=[0-9a-f]{16} --piece-size=0 --digest=crc32-pair")
                .isEqualTo(settings(BALANCED.withBandwidths(bandwidths(7))))
                .isNotEqualTo(settings(BALANCED.withBandwidths(bandwidths(8))));
    }

    @Test
    void theyPlayNoPartWhereNobodyPlansByThem() {
        assertThat(settings(BALANCED)).doesNotContain("--bandwidths");
        assertThat(settings(ChannelOptions.defaults().withBandwidths(bandwidths(7))))
                .startsWith("replicate --strategy=robber --piece-size");
    }

    private static BandwidthMap bandwidths(int rate) {
        return BandwidthMap.builder().link("A", "B", rate).link("B", "A", rate).build();
    }

    private static String settings(ChannelOptions channel) {
        return Requests.of("SRC", "DEST", channel).request().settings();
    }
}
