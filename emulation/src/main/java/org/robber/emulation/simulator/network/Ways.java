package org.robber.emulation.simulator.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.NicScope;

/** The ways between nodes. */
final class Ways {
    private final Map<ClusterPair, Link> links;
    private final List<Border> borders;

    /** Of nodes without limits of their own: between two clusters all have the same, and 10,000 nodes have a million connections. */
    private final Map<Route, Way> shared = new HashMap<>();

    /** From one cluster to another, or inside one. */
    private record Route(int fromCluster, int toCluster) {}

    /**
     * The ways over these links.
     *
     * @param borders of each cluster
     */
    Ways(Map<ClusterPair, Link> links, List<Border> borders) {
        this.links = links;
        this.borders = borders;
    }

    /** The way from one node to another, or null if no link leads there. */
    @Nullable
    Way between(Ports from, Ports to) {
        if (!from.areUnlimited() || !to.areUnlimited()) {
            return newWay(from, to);
        }
        Route route = new Route(from.cluster(), to.cluster());
        Way way = shared.get(route);
        if (way == null) {
            way = newWay(from, to);
            if (way != null) {
                shared.put(route, way);
            }
        }
        return way;
    }

    private @Nullable Way newWay(Ports from, Ports to) {
        return from.cluster() == to.cluster() ? wayInside(from, to) : wayOutside(from, to);
    }

    private Way wayInside(Ports from, Ports to) {
        List<Stage> stages = new ArrayList<>();
        add(stages, from.sendLimit());
        add(stages, from.nic() == NicScope.ALL ? from.cardUp() : null);
        add(stages, from.lanUp());
        int stagesBeforeDelay = stages.size();
        add(stages, borders.get(from.cluster()).lan());
        add(stages, to.lanDown());
        add(stages, to.nic() == NicScope.ALL ? to.cardDown() : null);
        return new Way(stages.toArray(new Stage[0]), stagesBeforeDelay, stagesBeforeDelay > 0, null);
    }

    private @Nullable Way wayOutside(Ports from, Ports to) {
        Link link = links.get(new ClusterPair(from.cluster(), to.cluster()));
        if (link == null) {
            return null;
        }
        List<Stage> stages = new ArrayList<>();
        add(stages, from.sendLimit());
        add(stages, from.wanSendLimit());
        add(stages, from.cardUp());
        boolean startsAtCard = !stages.isEmpty();
        add(stages, borders.get(from.cluster()).accessUp());
        add(stages, link.stage());
        int stagesBeforeDelay = stages.size();
        add(stages, borders.get(to.cluster()).accessDown());
        add(stages, to.cardDown());
        return new Way(stages.toArray(new Stage[0]), stagesBeforeDelay, startsAtCard, link);
    }

    private static void add(List<Stage> stages, @Nullable Stage stage) {
        if (stage != null) {
            stages.add(stage);
        }
    }
}
