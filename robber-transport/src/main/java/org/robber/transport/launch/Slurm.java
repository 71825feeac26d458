package org.robber.transport.launch;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Where rank 0 of a Slurm step listens: on its first host, where Slurm starts task 0. */
final class Slurm {
    private Slurm() {}

    static boolean ran(Variables variables) {
        return jobId(variables) != null;
    }

    /** @param nodes makes a name or an address that is known here from the name that Slurm has for a node */
    static JobAddress address(RankAndSize rankAndSize, Variables variables, UnaryOperator<String> nodes) {
        String id = jobId(variables);
        if (id == null) {
            throw Variables.needsUri("SLURM_JOB_ID is not set");
        }
        // Only another distribution than Slurm's own, by a file of hosts, puts task 0 elsewhere; task 0 can tell.
        if (rankAndSize.rank() == 0 && variables.has("SLURM_NODEID") && variables.number("SLURM_NODEID") != 0) {
            throw Variables.needsUri(
                    "SLURM_NODEID=" + variables.text("SLURM_NODEID") + ": rank 0 is not on the first host");
        }
        return JobAddress.derived(
                jobName(id, variables), nodes.apply(hosts(variables).get(0)));
    }

    /** Distinguishes this step from all others that run at the same time. */
    private static String jobName(String id, Variables variables) {
        String step = variables.firstText("SLURM_STEP_ID", "SLURM_STEPID");
        return "slurm-" + id + (step == null ? "" : "." + step);
    }

    private static List<String> hosts(Variables variables) {
        for (String name : List.of("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST")) {
            String text = variables.text(name);
            if (text != null) {
                try {
                    return HostList.expand(text);
                } catch (IllegalArgumentException e) {
                    throw Variables.needsUri(name + "=" + text + " is not a list of hosts");
                }
            }
        }
        throw Variables.needsUri("neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST is set");
    }

    private static @Nullable String jobId(Variables variables) {
        return variables.firstText("SLURM_JOB_ID", "SLURM_JOBID");
    }
}
