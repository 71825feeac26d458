package org.robber.transport.launch;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.robber.JobOptions;
import org.robber.RobberException;

/**
 * The job that the environment of a process names. Launchers are tried in this order; the first that has set a rank
 * counts:
 *
 * <ol>
 *   <li>{@code ROBBER_RANK}, {@code ROBBER_SIZE} and {@code ROBBER_URI} ({@code robber://JOB@HOST:PORT}, where rank 0
 *       listens, with {@code ?cluster=NAME} if wanted)
 *   <li>{@code PMIX_RANK}: mpirun of Open MPI, srun
 *   <li>{@code PMI_RANK}, {@code PMI_SIZE}: mpiexec of MPICH and Intel MPI, srun
 *   <li>{@code OMPI_COMM_WORLD_RANK}, {@code OMPI_COMM_WORLD_SIZE}: mpirun of Open MPI
 *   <li>{@code SLURM_PROCID}, {@code SLURM_NTASKS}: srun
 *   <li>{@code RANK}, {@code WORLD_SIZE}, {@code MASTER_ADDR}, {@code MASTER_PORT}: as for PyTorch
 *   <li>{@code JOB_COMPLETION_INDEX}: an indexed Job of Kubernetes, which needs {@code ROBBER_SIZE} and {@code ROBBER_URI}
 *       as well
 * </ol>
 *
 * <p>{@code ROBBER_URI}, {@code ROBBER_CLUSTER} and {@code ROBBER_CLUSTER_BY} (a {@link org.robber.ClusterBy} in small letters) go with any of them. Without a URI the name of the job, rank 0's host
 * and a port between 20000 and 29999 are derived from what the launcher says, the same on every rank. The shared secret
 * comes from the file named by {@code ROBBER_SECRET_FILE} or from {@code ROBBER_SECRET}, never from the URI; {@code
 * ROBBER_CONNECT_TIMEOUT} is written like {@code 30s} or {@code 5m}. With a secret, connections are encrypted unless {@code
 * ROBBER_TLS} is {@code off}; {@code ROBBER_TLS_CERT}, {@code ROBBER_TLS_KEY} and {@code ROBBER_TLS_CA} name certificates to be
 * used for that.
 */
public final class LaunchEnvironment {
    private final LaunchReader reader;

    private LaunchEnvironment(LaunchReader reader) {
        this.reader = reader;
    }

    /** Reads these variables, such as {@link System#getenv()}. */
    public static LaunchEnvironment of(Map<String, String> variables) {
        return of(variables, SlurmNodes::address);
    }

    /** @param slurmNodes makes a name or an address that is known here from the name that Slurm has for a node */
    static LaunchEnvironment of(Map<String, String> variables, UnaryOperator<String> slurmNodes) {
        return new LaunchEnvironment(new LaunchReader(variables, slurmNodes));
    }

    /** Whether any variable names a job, even if others are missing. */
    public boolean isPresent() {
        return reader.present();
    }

    /**
     * How this node finds its job.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if the environment names no job, or a
     *     variable is missing or malformed; the message names it
     */
    public JobOptions jobOptions() {
        return reader.read();
    }

    /**
     * The secret of {@code ROBBER_SECRET_FILE} or {@code ROBBER_SECRET}; empty without both.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if it cannot be read
     */
    public byte[] secret() {
        return reader.secret();
    }

    /**
     * How a node that joins late finds the job at this address. Cluster, secret and encryption come from the environment; a
     * cluster in the address wins. Rank and size are ignored.
     *
     * @param uri {@code robber://JOB@HOST:PORT}
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if the address or a variable is
     *     malformed
     */
    public JobOptions joinOptions(String uri) {
        return reader.readToJoin(uri);
    }

    /**
     * Of a job whose nodes this process is going to start: name and address from {@code ROBBER_URI}, or else that name and no address;
     * cluster, secret and encryption from the environment. Rank and size are ignored.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if a variable is malformed
     */
    public JobOptions startOptions(String job) {
        return reader.readToStart(job);
    }
}
