package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableSortedMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NameList;
import org.robber.emulation.scenario.Scenario;

/** Links without one in the other direction. No connection uses them, because each needs both. */
final class OneWayLinks {
    private static final int NAMED_LINKS = 5;

    private OneWayLinks() {}

    /** Names the links to add to a scenario that has such links; empty if it has none. */
    static String hint(Scenario scenario) {
        ImmutableSortedMap<ClusterPair, LinkSpec> links =
                scenario.phases().get(0).links();
        String missing = NameList.first(
                NAMED_LINKS,
                links.keySet().stream()
                        .map(ClusterPair::reversed)
                        .filter(pair -> !links.containsKey(pair))
                        .map(scenario::pairName));
        return missing.isEmpty() ? "" : "connections need both directions: add to links " + missing + "; ";
    }
}
