package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NameList;
import org.robber.emulation.scenario.Scenario;

/** Explains why nodes are incomplete or have not finished: which nodes wait, and for which pieces. */
record StallDiagnosis(
        Topology topology, DataPlacement placement, List<SimulatedNode> nodes, RunTally tally, Scenario scenario) {
    private static final int NAMED_NODES = 5;
    private static final int NAMED_LINKS = 5;
    private static final int MOST_LETTERS = 100;

    /**
     * The problem; empty if there is none.
     *
     * @param end why the run ended
     */
    String text(String end) {
        List<SimulatedNode> lacking = new ArrayList<>();
        List<SimulatedNode> complete = new ArrayList<>();
        int dead = 0;
        int incomplete = 0;
        for (SimulatedNode node : nodes) {
            dead += node.isDead() && !tally.isComplete(node.rank()) ? 1 : 0;
            incomplete +=
                    !node.isDead() && tally.hasEndedIncomplete(node.rank()) && !tally.isComplete(node.rank()) ? 1 : 0;
            if (!tally.isFinished(node.rank())) {
                (tally.isComplete(node.rank()) ? complete : lacking).add(node);
            }
        }
        // The others wait for those that lack pieces.
        lacking.addAll(complete);
        int waiting = lacking.size();
        String names = lacking.stream().limit(NAMED_NODES).map(this::waits).collect(Collectors.joining("; ", ": ", ""));
        if (waiting == 0 && dead == 0 && incomplete == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (SimulatedNode node : nodes) {
            if (node.isDead()) {
                text.append(name(node.rank())).append(" died as planned; ");
            }
        }
        if (waiting == 0 && incomplete > 0) {
            return text.append(incomplete)
                    .append(incomplete == 1 ? " node" : " nodes")
                    .append(" ended without pieces that cannot come: ")
                    .append(firstIncomplete())
                    .toString();
        }
        return waiting == 0
                ? text.append("all others have everything").toString()
                : text.append(missingDirections())
                        .append(waiting)
                        .append(waiting == 1 ? " node waits when " : " nodes wait when ")
                        .append(end)
                        .append(names)
                        .append(waiting > NAMED_NODES ? "; ..." : "")
                        .toString();
    }

    private String firstIncomplete() {
        for (SimulatedNode node : nodes) {
            if (!node.isDead() && tally.hasEndedIncomplete(node.rank()) && !tally.isComplete(node.rank())) {
                return name(node.rank()) + " lacks " + shortened(tally.givenUpBy(node.rank()));
            }
        }
        return "";
    }

    /** The pieces of a reduction that cannot come are many short ranges. */
    private static String shortened(PieceSet pieces) {
        String text = pieces.toString();
        int end = text.length() <= MOST_LETTERS ? -1 : text.lastIndexOf(',', MOST_LETTERS);
        return end < 0 ? text : text.substring(0, end) + ",... of " + pieces.capacity();
    }

    private String waits(SimulatedNode node) {
        String name = name(node.rank());
        if (tally.isComplete(node.rank())) {
            return name + " is complete, but not all its peers have reported their end";
        }
        PieceSet lacked = placement.wantedBy(node.rank()).andNot(node.node().possession());
        String lacks = name + " lacks " + lacked.size() + " pieces, the first is " + lacked.nextFrom(0) + ", ";
        return lacks
                + node.requests()
                        .oldest()
                        .map(oldest -> "and waits for piece " + oldest.piece() + " from " + name(oldest.fromRank())
                                + " since " + oldest.sinceNanos() / 1e9 + " s")
                        .orElse("and has no outstanding request");
    }

    private String name(int rank) {
        return topology.nodeName(rank) + " (rank " + rank + ")";
    }

    /** Names the links to add where only one direction is there, which no connection uses; empty if there are none. */
    private String missingDirections() {
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
