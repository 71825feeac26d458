package org.robber.emulation.simulator.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.NicScope;

/** The routes between nodes. */
final class Routes {
    private final WideAreaLinks links;
    private final List<SharedLines> borders;

    /** Routes between nodes without own limits are the same for all nodes of two clusters: 10,000 nodes have a million connections. */
    private final Map<ClusterRoute, Route> shared = new HashMap<>();

    /** From one cluster to another, or inside one. */
    private record ClusterRoute(int fromCluster, int toCluster) {}

    /**
     * The routes over these links.
     *
     * @param borders of each cluster
     */
    Routes(WideAreaLinks links, List<SharedLines> borders) {
        this.links = links;
        this.borders = borders;
    }

    /** The route from one node to another, or null if no link leads there. */
    @Nullable
    Route between(NodeLines from, NodeLines to) {
        if (!from.areUnlimited() || !to.areUnlimited()) {
            return newRoute(from, to);
        }
        return shared.computeIfAbsent(new ClusterRoute(from.cluster(), to.cluster()), clusters -> newRoute(from, to));
    }

    private @Nullable Route newRoute(NodeLines from, NodeLines to) {
        return from.cluster() == to.cluster() ? routeInside(from, to) : routeOutside(from, to);
    }

    private Route routeInside(NodeLines from, NodeLines to) {
        List<Stage> stages = new ArrayList<>();
        add(stages, from.sendLimit());
        add(stages, from.nic() == NicScope.ALL ? from.cardUp() : null);
        add(stages, from.lanUp());
        int stagesBeforeDelay = stages.size();
        add(stages, borders.get(from.cluster()).lan());
        add(stages, to.lanDown());
        add(stages, to.nic() == NicScope.ALL ? to.cardDown() : null);
        return new Route(stages.toArray(new Stage[0]), stagesBeforeDelay, stagesBeforeDelay > 0, null);
    }

    private @Nullable Route routeOutside(NodeLines from, NodeLines to) {
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
        return new Route(stages.toArray(new Stage[0]), stagesBeforeDelay, startsAtCard, link);
    }

    private static void add(List<Stage> stages, @Nullable Stage stage) {
        if (stage != null) {
            stages.add(stage);
        }
    }
}
