package org.robber.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReplicateRequest;

/** The plan of a job whose nodes would be processes on this machine. No process is needed for it. */
public final class LocalPlan {
    private final Plan.Nodes nodes = new Plan.Nodes();
    private final List<String> destinations = new ArrayList<>();

    /**
     * Adds the node of the next rank.
     *
     * @param destination where its copy would be, as the user gave it
     * @param place what is there
     */
    public void add(String name, String cluster, String destination, DestinationInfo place) {
        nodes.add(name, cluster, place, 0);
        destinations.add(destination);
    }

    /**
     * Prints the plan.
     *
     * @return the exit code: 0, or what the problems would lead to
     */
    public int print(ReplicateRequest request, PlanTerms terms, NodeOutput output) {
        return Plan.ofThisMachine(request, terms, nodes, destinations, output);
    }
}
