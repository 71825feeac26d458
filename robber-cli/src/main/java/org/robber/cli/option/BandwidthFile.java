package org.robber.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.core.topology.BandwidthMap;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioException;
import org.robber.emulation.scenario.ScenarioReader;

/** Bandwidths between clusters, from a file in the format of scenarios. */
public final class BandwidthFile {

    private BandwidthFile() {}

    /**
     * Reads the network as it is in the beginning of the scenario. What it throws is no class of the emulation: who names one
     * makes every short job load it.
     *
     * @throws IllegalArgumentException if it cannot be read, breaks a rule of the format, or leaves out a pair of clusters: what a
     *     scenario may mean as a link that isn't there may as well have been forgotten here
     */
    public static BandwidthMap read(Path file) {
        Scenario scenario = scenario(file);
        List<String> missing = new ArrayList<>();
        for (int from = 0; from < scenario.clusters().size(); from++) {
            for (int to = 0; to < scenario.clusters().size(); to++) {
                if (from != to) {
                    ClusterPair pair = new ClusterPair(from, to);
                    if (!scenario.phases().get(0).links().containsKey(pair)) {
                        missing.add(scenario.pairName(pair));
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    file + ": no link " + String.join(", ", missing) + "; say 0 where nothing passes");
        }
        return InitialBandwidths.of(scenario, file.toString());
    }

    private static Scenario scenario(Path file) {
        try {
            return ScenarioReader.read(file);
        } catch (ScenarioException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
