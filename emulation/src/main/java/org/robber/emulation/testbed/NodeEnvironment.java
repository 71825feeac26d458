package org.robber.emulation.testbed;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

/** The variables by which a program finds its place among others: those of Robber, and those that many programs know. */
final class NodeEnvironment {

    /** Where rank 0 may listen; every node has all ports to itself. */
    private static final int PORT = 7000;

    private static final String JOB = "testbed";

    /** Of launchers, which would tell a program about the job that this process itself is part of. */
    private static final ImmutableList<String> OTHERS = ImmutableList.of(
            "ROBBER_", "PMIX_", "PMI_", "OMPI_", "SLURM_", "JOB_COMPLETION_INDEX", "RANK", "WORLD_SIZE", "MASTER_");

    private NodeEnvironment() {}

    static boolean belongsToAnotherJob(String name) {
        return OTHERS.stream().anyMatch(name::startsWith);
    }

    static ImmutableMap<String, String> of(
            int rank, int size, String cluster, String firstAddress, String rootAddress) {
        return ImmutableMap.<String, String>builder()
                .put("ROBBER_RANK", Integer.toString(rank))
                .put("ROBBER_SIZE", Integer.toString(size))
                .put("ROBBER_CLUSTER", cluster)
                .put("ROBBER_URI", "robber://" + JOB + "@" + firstAddress + ":" + PORT)
                .put("ROBBER_ROOT_ADDRESS", rootAddress)
                .put("RANK", Integer.toString(rank))
                .put("WORLD_SIZE", Integer.toString(size))
                .put("MASTER_ADDR", firstAddress)
                .put("MASTER_PORT", Integer.toString(PORT + 1))
                .buildOrThrow();
    }
}
