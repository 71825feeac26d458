package org.robber.emulation.bound;

import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;

/**
 * The best static rate of a small scenario, node by node: how much each node sends each other node, under all limits as they
 * stand in the scenario, and for each node a flow from the root that fits into that. No folding of clusters, no cuts.
 */
final class NodeProgram {
    private static final double UNIT = 1e6;

    private final Scenario scenario;
    private final LinearProgram program = new LinearProgram();
    private final List<Arc> arcs = new ArrayList<>();
    private final int nodes;
    private final int rate;

    private record Arc(int from, int to, int fromCluster, int toCluster, int variable) {
        boolean isLocal() {
            return fromCluster == toCluster;
        }
    }

    private NodeProgram(Scenario scenario) {
        this.scenario = scenario;
        this.nodes = scenario.nodeCount();
        this.rate = program.variable(1);
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                int fromCluster = scenario.placeOf(from).cluster();
                int toCluster = scenario.placeOf(to).cluster();
                if (from != to && (fromCluster == toCluster || links(fromCluster, toCluster))) {
                    arcs.add(new Arc(from, to, fromCluster, toCluster, program.variable(0)));
                }
            }
        }
    }

    private boolean links(int from, int to) {
        return scenario.phases().get(0).links().containsKey(new ClusterPair(from, to));
    }

    /** The rate in the first phase; 1e12 where there is no limit. */
    static double bytesPerSecond(Scenario scenario) {
        NodeProgram nodes = new NodeProgram(scenario);
        nodes.limitLinks();
        nodes.limitClusters();
        for (int rank = 0; rank < nodes.nodes; rank++) {
            nodes.limitNode(rank);
            if (rank != scenario.rankOf(scenario.root())) {
                nodes.flowTo(rank);
            }
        }
        nodes.program.atMost(nodes.rate, 1e6);
        return nodes.program.maximise()[nodes.rate] * UNIT;
    }

    private void limitLinks() {
        scenario.phases().get(0).links().forEach((pair, link) -> {
            Row row = program.row();
            for (Arc arc : arcs) {
                if (arc.fromCluster == pair.from() && arc.toCluster == pair.to()) {
                    row.add(arc.variable, 1);
                }
            }
            limit(row, useful(link));
        });
    }

    private static double useful(LinkSpec link) {
        return link.bytesPerSecond() * (1 - link.loss());
    }

    private void limitClusters() {
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            Row up = program.row();
            Row down = program.row();
            Row lan = program.row();
            for (Arc arc : arcs) {
                if (arc.isLocal() && arc.toCluster == cluster) {
                    lan.add(arc.variable, 1);
                } else if (arc.fromCluster == cluster) {
                    up.add(arc.variable, 1);
                } else if (arc.toCluster == cluster) {
                    down.add(arc.variable, 1);
                }
            }
            ClusterSpec spec = scenario.clusters().get(cluster);
            limit(up, spec.accessUp());
            limit(down, spec.accessDown());
            limit(lan, spec.lan());
        }
    }

    private void limitNode(int rank) {
        NodePlace place = scenario.placeOf(rank);
        ClusterSpec spec = scenario.clusters().get(place.cluster());
        Row up = program.row();
        Row down = program.row();
        Row lanUp = program.row();
        Row lanDown = program.row();
        for (Arc arc : arcs) {
            boolean throughCard = !arc.isLocal() || spec.nic() == NicScope.ALL;
            if (arc.from == rank && throughCard) {
                up.add(arc.variable, 1);
            }
            if (arc.to == rank && throughCard) {
                down.add(arc.variable, 1);
            }
            if (arc.from == rank && arc.isLocal()) {
                lanUp.add(arc.variable, 1);
            }
            if (arc.to == rank && arc.isLocal()) {
                lanDown.add(arc.variable, 1);
            }
        }
        limit(up, spec.nodeUp().get(place.index()));
        limit(down, spec.nodeDown().get(place.index()));
        limit(lanUp, spec.lanUp());
        limit(lanDown, spec.lanDown());
    }

    private void flowTo(int sink) {
        int root = scenario.rankOf(scenario.root());
        Row[] balance = new Row[nodes];
        for (int rank = 0; rank < nodes; rank++) {
            balance[rank] = program.row();
        }
        for (Arc arc : arcs) {
            if (arc.to != root && arc.from != sink) {
                int carried = program.variable(0);
                program.row().add(carried, 1).add(arc.variable, -1).atMost(0);
                balance[arc.to].add(carried, 1);
                balance[arc.from].add(carried, -1);
            }
        }
        for (int rank = 0; rank < nodes; rank++) {
            if (rank == sink) {
                balance[rank].add(rate, -1).atLeast(0);
            } else if (rank != root) {
                balance[rank].atLeast(0);
            }
        }
    }

    private void limit(Row row, double bytesPerSecond) {
        if (Double.isFinite(bytesPerSecond)) {
            row.atMost(bytesPerSecond / UNIT);
        }
    }
}
