package org.robber.transport.launch;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who may tell a process its rank, in the order in which they are asked. */
enum RankSource {
    /** Anything that speaks our own language. */
    ROBBER("ROBBER_RANK"),
    /** Open MPI's mpirun, and srun with its plug-in for PMIx. PMIx itself tells no size through the environment. */
    PMIX("PMIX_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
    /** Hydra, the launcher of MPICH and Intel MPI; srun with its plug-in for PMI-2. */
    PMI("PMI_RANK", "PMI_SIZE"),
    /** Open MPI where PMIx is kept from the process. */
    OPEN_MPI("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    /** srun. The size of the step is the one that counts: a job may run several. */
    SLURM("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
    /** Launchers of PyTorch, and what follows its ways. */
    PYTORCH("RANK", "WORLD_SIZE"),
    /** A Kubernetes Job with {@code completionMode: Indexed}, which doesn't tell how many there are. */
    KUBERNETES("JOB_COMPLETION_INDEX");

    private final String rankName;
    private final ImmutableList<String> sizeNames;

    RankSource(String rankName, String... sizeNames) {
        this.rankName = rankName;
        this.sizeNames = ImmutableList.copyOf(sizeNames);
    }

    /** The first that has told something. */
    static Optional<RankSource> find(Variables variables) {
        return Arrays.stream(values())
                .filter(source -> source.speaks(variables))
                .findFirst();
    }

    /** The variables that were looked at, for people. */
    static String names() {
        return String.join(
                ", ", Arrays.stream(values()).map(source -> source.rankName).toList());
    }

    /** Whether it has told this process a rank. */
    boolean speaks(Variables variables) {
        // RANK alone is a word that anyone may use for anything.
        return variables.has(rankName)
                && (this != PYTORCH || variables.has("WORLD_SIZE") || variables.has("MASTER_ADDR"));
    }

    /**
     * The rank and the size. {@code ROBBER_SIZE} fills in for a launcher that tells no size, and must agree with one that
     * does.
     */
    RankAndSize rankAndSize(Variables variables) {
        int rank = variables.number(rankName);
        String sizeName = sizeName(variables);
        if (sizeName == null) {
            throw Variables.usage(rankName + "=" + rank + " is set, but " + String.join(" and ", candidates())
                    + (sizeNames.isEmpty() ? " is not" : " are not") + ": set ROBBER_SIZE to the number of nodes");
        }
        int size = variables.number(sizeName);
        if (size < 1) {
            throw Variables.usage(sizeName + "=" + size + ": a job has at least one node");
        }
        if (rank >= size) {
            throw Variables.usage(rankName + "=" + rank + " is not below " + sizeName + "=" + size);
        }
        if (variables.has("ROBBER_SIZE") && variables.number("ROBBER_SIZE") != size) {
            throw Variables.usage(
                    "ROBBER_SIZE=" + variables.number("ROBBER_SIZE") + " contradicts " + sizeName + "=" + size);
        }
        return new RankAndSize(rank, size);
    }

    /**
     * Refuses to run alone where another launcher speaks of more. One launcher inside another leaves both their variables;
     * if the outer one, which started a single process, were believed, every node would be done at once with nothing moved.
     */
    void checkNotAloneAmongMany(RankAndSize rankAndSize, Variables variables) {
        if (this == ROBBER || rankAndSize.size() > 1) {
            return;
        }
        for (RankSource other : values()) {
            String sizeName = other.sizeName(variables);
            if (other != this && other.speaks(variables) && sizeName != null && variables.number(sizeName) > 1) {
                throw Variables.usage(
                        "two launchers disagree: " + rankName + "=" + rankAndSize.rank() + " is the only one, but "
                                + other.rankName + "=" + variables.text(other.rankName) + " is one of " + sizeName + "="
                                + variables.text(sizeName) + ": set ROBBER_RANK, ROBBER_SIZE and ROBBER_URI");
            }
        }
    }

    private @Nullable String sizeName(Variables variables) {
        return candidates().stream().filter(variables::has).findFirst().orElse(null);
    }

    private List<String> candidates() {
        return ImmutableList.<String>builder()
                .addAll(sizeNames)
                .add("ROBBER_SIZE")
                .build();
    }
}
