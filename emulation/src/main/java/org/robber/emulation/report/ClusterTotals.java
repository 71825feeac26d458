package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.NodePlace;

/** The nodes of a cluster in a run's timeline, and all of them together. */
final class ClusterTotals {

    private ClusterTotals() {}

    /** Bytes received by each node of a cluster over time; empty if they were not recorded. */
    static List<ImmutableList<Long>> ofNodes(RunResult run, int cluster) {
        int first = run.scenario().rankOf(new NodePlace(cluster, 0));
        List<ImmutableList<Long>> nodes = run.timeline().nodeBytes();
        int end = Math.min(
                nodes.size(), first + run.scenario().clusters().get(cluster).nodes());
        return nodes.subList(Math.min(first, end), end);
    }

    /** Bytes received by all of them over time. */
    static ImmutableList<Long> of(RunResult run, int cluster) {
        return Timeline.sum(ofNodes(run, cluster));
    }
}
