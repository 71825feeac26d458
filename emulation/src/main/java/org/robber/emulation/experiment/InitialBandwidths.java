package org.robber.emulation.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.BandwidthMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Scenario;

/**
 * The bandwidths for strategies that plan: as in the publication, exactly those of the first phase, and none of later phases.
 */
public final class InitialBandwidths {

    private InitialBandwidths() {}

    /** The network of a scenario's first phase; pairs without a link have the rate 0. */
    public static BandwidthMap of(Scenario scenario) {
        return of(scenario, "scenario " + scenario.name());
    }

    /**
     * The same.
     *
     * @param source where the scenario comes from, for messages
     */
    public static BandwidthMap of(Scenario scenario, String source) {
        BandwidthMap.Builder map = BandwidthMap.builder().source(source);
        List<ClusterSpec> clusters = scenario.clusters();
        for (int from = 0; from < clusters.size(); from++) {
            ClusterSpec cluster = clusters.get(from);
            map.cluster(cluster.name(), cluster.accessUp(), cluster.accessDown(), cluster.nodeUp(), cluster.nodeDown());
            for (int to = 0; to < clusters.size(); to++) {
                if (to != from) {
                    @Nullable LinkSpec link = scenario.phases().get(0).links().get(new ClusterPair(from, to));
                    map.link(cluster.name(), clusters.get(to).name(), link == null ? 0 : link.bytesPerSecond());
                }
            }
        }
        return map.build();
    }
}
