package org.robber.cli.request;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import org.robber.core.topology.BandwidthMap;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.json.JsonFile;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NameList;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioException;
import org.robber.emulation.scenario.ScenarioReader;

/**
 * Bandwidths between clusters, from a file in the format of scenarios.
 *
 * @param name of the file, for messages
 * @param json its content
 */
public record BandwidthFile(String name, String json) {

    /** Of those that are missing. */
    private static final int NAMED_LINKS = 10;

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException if it cannot be read, or has more than {@link JsonFile#MOST_BYTES}
     */
    public static BandwidthFile read(Path file) {
        return new BandwidthFile(file.toString(), JsonFile.read(file));
    }

    /**
     * The network as it is in the beginning of the scenario. What it throws is no class of the emulation: who names one
     * makes every short job load it.
     *
     * @throws IllegalArgumentException if it breaks a rule of the format, or leaves out a pair of clusters: what a
     *     scenario may mean as a link that isn't there may as well have been forgotten here
     */
    public BandwidthMap map() {
        Scenario scenario = scenario();
        ImmutableMap<ClusterPair, LinkSpec> links = scenario.phases().get(0).links();
        String missing = NameList.first(
                NAMED_LINKS,
                ClusterPair.all(scenario.clusters().size()).stream()
                        .filter(pair -> !links.containsKey(pair))
                        .map(scenario::pairName));
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    name + ": no link " + missing + ": add it to links, with mbps 0 where nothing passes");
        }
        return InitialBandwidths.of(scenario, name);
    }

    /**
     * The file as a scenario.
     *
     * @throws IllegalArgumentException if it breaks a rule of the format
     */
    public Scenario scenario() {
        try {
            return ScenarioReader.parse(name, json);
        } catch (ScenarioException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
