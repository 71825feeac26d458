package org.robber.cli.option;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.robber.ClusterBy;
import picocli.CommandLine.Option;

/** What tells which nodes are a cluster. */
public final class ClusterOption extends CheckedOptions {
    private static final String NAME = "--cluster-by";

    @Option(
            names = NAME,
            paramLabel = "HOW",
            defaultValue = "auto",
            description =
                    "What makes nodes a cluster: auto, subnet, rtt (hosts that are near each other), switch (as Slurm"
                            + " knows it), or env (only names). auto takes names, or else subnets that are near each other"
                            + " by round-trip times. Rank 0 decides. Default: ${DEFAULT-VALUE}.")
    private ClusterBy by = ClusterBy.AUTO;

    public ClusterBy by() {
        return by;
    }

    /** Refuses a choice that a job on this machine would ignore; a variable may set it for other jobs. */
    public void checkLocal() {
        refuse(List.of(NAME), name -> "--local names its clusters: leave out " + name);
    }

    /** Refuses a choice for which nodes that ssh starts have no variables. */
    public void checkRemote() {
        if (by == ClusterBy.SWITCH) {
            throw bad("--cluster-by=switch is for tasks of Slurm, and not for -w: name clusters there");
        }
    }

    /** The variables of a process, with this choice. */
    public Map<String, String> in(Map<String, String> variables) {
        variables.put("ROBBER_CLUSTER_BY", by.name().toLowerCase(Locale.ROOT));
        return variables;
    }
}
