package org.robber.transport.launch;

/** Where rank 0 listens, derived from what its launcher says where {@code ROBBER_URI} doesn't. */
final class Places {
    private Places() {}

    static Place of(RankSource source, Member member, Variables variables) {
        return switch (source) {
            case ROBBER, KUBERNETES -> throw Variables.needsUri("ROBBER_URI is not set");
            case PMIX, OPEN_MPI -> ofPmix(member, variables);
            case PMI -> ofPmi(member, variables);
            case SLURM -> Slurm.place(member, variables);
            case PYTORCH -> ofPyTorch(variables);
        };
    }

    private static Place ofPmix(Member member, Variables variables) {
        if (OpenMpi.ran(variables)) {
            return OpenMpi.place(member, variables);
        }
        if (Slurm.ran(variables)) {
            return Slurm.place(member, variables);
        }
        throw Variables.needsUri(
                "PMIX_RANK was set neither by Open MPI nor by Slurm, and doesn't tell where rank 0 runs");
    }

    /** Hydra tells neither a job's id nor where rank 0 runs; under a batch system we know the one, on one host the other. */
    private static Place ofPmi(Member member, Variables variables) {
        if (Slurm.ran(variables)) {
            return Slurm.place(member, variables);
        }
        String id = variables.firstText("PMI_JOBID", "PBS_JOBID", "LSB_JOBID");
        boolean oneHost = variables.has("MPI_LOCALNRANKS") && variables.number("MPI_LOCALNRANKS") == member.size();
        if (id == null || !oneHost) {
            throw Variables.needsUri("PMI_RANK=" + member.rank() + " doesn't tell where rank 0 runs");
        }
        return Place.derived("mpi-" + id, Place.LOOPBACK);
    }

    private static Place ofPyTorch(Variables variables) {
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
        return new Place(run == null ? "pytorch-" + host + "-" + port : "pytorch-" + run, host, port);
    }
}
