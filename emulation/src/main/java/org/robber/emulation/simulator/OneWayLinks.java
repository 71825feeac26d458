package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Scenario;

/** Links without one in the other direction. No connection uses them, because each needs both. */
final class OneWayLinks {
    private static final int NAMED_LINKS = 5;

    private OneWayLinks() {}

    /** What to add to a scenario that has such links; empty if it has none. */
    static String hint(Scenario scenario) {
        ImmutableSortedMap<ClusterPair, LinkSpec> links =
                scenario.phases().get(0).links();
        List<String> missing = links.keySet().stream()
                .map(ClusterPair::reversed)
                .filter(pair -> !links.containsKey(pair))
                .limit(NAMED_LINKS + 1)
                .map(scenario::pairName)
                .toList();
        return switch (missing.size()) {
            case 0 -> "";
            case NAMED_LINKS + 1 -> text(missing.subList(0, NAMED_LINKS)) + ", ...";
            default -> text(missing);
        };
    }

    private static String text(List<String> missing) {
        return "connections need both directions: add to links " + String.join(", ", missing);
    }
}
