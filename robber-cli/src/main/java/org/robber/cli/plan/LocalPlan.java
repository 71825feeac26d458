package org.robber.cli.plan;

import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReplicateRequest;

/** The plan of a job whose nodes would be processes on this machine. No process is needed for it. */
public final class LocalPlan {
    private final Plan.Nodes nodes = new Plan.Nodes();

    /** Adds the node of the next rank. */
    public void add(String name, String cluster, DestinationInfo place) {
        nodes.add(name, cluster, place);
    }

    /**
     * Prints the plan.
     *
     * @return the exit code: 0, or what the first problem would lead to
     */
    public int print(ReplicateRequest request, PlanTerms terms, NodeOutput output) {
        return Plan.ofThisMachine(request, terms, nodes, output);
    }
}
