package org.robber.transport.launch;

import com.google.common.base.Splitter;
import java.util.List;

/**
 * The cluster of a Slurm task by the network that Slurm knows. Slurm's plug-ins for topologies tell each task the way to its node, such as
 * {@code SLURM_TOPOLOGY_ADDR=root.leaf1.node3} with {@code SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node}. The last switch or block before the node
 * is the cluster. Where Slurm knows no switches, the partition is.
 */
final class SlurmSwitch {
    private static final String ADDRESS = "SLURM_TOPOLOGY_ADDR";
    private static final String PATTERN = "SLURM_TOPOLOGY_ADDR_PATTERN";
    private static final String PARTITION = "SLURM_JOB_PARTITION";
    private static final Splitter DOTS = Splitter.on('.');

    private SlurmSwitch() {}

    /** @throws org.robber.RobberException with reason USAGE if Slurm has told nothing */
    static String clusterOf(Variables variables) {
        String address = variables.text(ADDRESS);
        if (address != null) {
            List<String> kinds = DOTS.splitToList(variables.mentions(PATTERN) ? "" + variables.text(PATTERN) : "node");
            // Names of nodes may have dots, which are behind all switches.
            int switches = kinds.size() - 1;
            List<String> parts = DOTS.splitToList(address);
            if (switches > 0 && parts.size() > switches) {
                return parts.get(switches - 1);
            }
        }
        String partition = variables.text(PARTITION);
        if (partition == null) {
            throw Variables.usage("--cluster-by=switch is for tasks of Slurm, and neither " + ADDRESS + " nor "
                    + PARTITION + " is set");
        }
        return partition;
    }
}
