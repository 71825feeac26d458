package org.robber.transport.launch;

import java.util.function.UnaryOperator;

/** Derives the address of rank 0 from the variables of the launcher, where {@code ROBBER_URI} is not set. */
final class DerivedAddress {
    private DerivedAddress() {}

    /** @param slurmNodes makes a name or an address that is known here from the name that Slurm has for a node */
    static JobAddress of(
            RankSource source, RankAndSize rankAndSize, Variables variables, UnaryOperator<String> slurmNodes) {
        return switch (source) {
            case ROBBER, KUBERNETES -> throw Variables.needsUri("ROBBER_URI is not set");
            case PMIX, OPEN_MPI -> ofPmix(rankAndSize, variables, slurmNodes);
            case PMI -> ofPmi(rankAndSize, variables, slurmNodes);
            case SLURM -> Slurm.address(rankAndSize, variables, slurmNodes);
            case PYTORCH -> ofPyTorch(variables);
        };
    }

    private static JobAddress ofPmix(RankAndSize rankAndSize, Variables variables, UnaryOperator<String> slurmNodes) {
        if (OpenMpi.ran(variables)) {
            return OpenMpi.address(rankAndSize, variables);
        }
        if (Slurm.ran(variables)) {
            return Slurm.address(rankAndSize, variables, slurmNodes);
        }
        throw Variables.needsUri(
                "PMIX_RANK was set neither by Open MPI nor by Slurm, and doesn't tell where rank 0 runs");
    }

    /** Hydra tells neither the id of the job nor the host of rank 0. A batch system tells the id; on a single host, the host is known. */
    private static JobAddress ofPmi(RankAndSize rankAndSize, Variables variables, UnaryOperator<String> slurmNodes) {
        if (Slurm.ran(variables)) {
            return Slurm.address(rankAndSize, variables, slurmNodes);
        }
        String id = variables.firstText("PMI_JOBID", "PBS_JOBID", "LSB_JOBID");
        boolean oneHost = variables.has("MPI_LOCALNRANKS") && variables.number("MPI_LOCALNRANKS") == rankAndSize.size();
        if (id == null || !oneHost) {
            throw Variables.needsUri("PMI_RANK=" + rankAndSize.rank() + " doesn't tell where rank 0 runs");
        }
        return JobAddress.derived("mpi-" + id, JobAddress.LOOPBACK);
    }

    private static JobAddress ofPyTorch(Variables variables) {
        String host = variables.text("MASTER_ADDR");
        if (host == null) {
            throw Variables.needsUri("MASTER_ADDR is not set");
        }
        if (!variables.has("MASTER_PORT")) {
            throw Variables.needsUri("MASTER_PORT is not set");
        }
        int port = variables.number("MASTER_PORT");
        if (port < 1 || port > 0xFFFF) {
            throw Variables.usage("MASTER_PORT=" + port + " must be from 1 to 65535");
        }
        String run = variables.firstText("TORCHELASTIC_RUN_ID");
        return run == null
                ? new JobAddress("pytorch-" + host + "-" + port, host, port)
                // torchrun itself listens at that port
                : JobAddress.derived("pytorch-" + run + "-" + host + "-" + port, host);
    }
}
