package org.robber.transport.launch;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.ClusterBy;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.TlsOptions;
import org.robber.transport.security.SecretFile;

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
    private static final String URI = "ROBBER_URI";
    private static final String CLUSTER = "ROBBER_CLUSTER";
    private static final String CLUSTER_BY = "ROBBER_CLUSTER_BY";
    private static final String SECRET = "ROBBER_SECRET";
    private static final String SECRET_FILE = "ROBBER_SECRET_FILE";
    private static final String TLS = "ROBBER_TLS";
    private static final String TLS_CERT = "ROBBER_TLS_CERT";
    private static final String TLS_KEY = "ROBBER_TLS_KEY";
    private static final String TLS_CA = "ROBBER_TLS_CA";
    private static final String CONNECT_TIMEOUT = "ROBBER_CONNECT_TIMEOUT";

    private final Variables variables;
    private final UnaryOperator<String> slurmNodes;

    private LaunchEnvironment(Variables variables, UnaryOperator<String> slurmNodes) {
        this.variables = variables;
        this.slurmNodes = slurmNodes;
    }

    /** Reads these variables, such as {@link System#getenv()}. */
    public static LaunchEnvironment of(Map<String, String> variables) {
        return of(variables, SlurmNodes::address);
    }

    /** @param slurmNodes makes a name or an address that is known here from the name that Slurm has for a node */
    static LaunchEnvironment of(Map<String, String> variables, UnaryOperator<String> slurmNodes) {
        return new LaunchEnvironment(new Variables(variables), slurmNodes);
    }

    /** Whether any variable names a rank, or Robber's own name a size or an address, even if others are missing. */
    public boolean isPresent() {
        return RankSource.find(variables).isPresent() || variables.has("ROBBER_SIZE") || variables.has(URI);
    }

    /**
     * How this node finds its job.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if the environment names no job, or a
     *     variable is missing or malformed; the message names it
     */
    public JobOptions jobOptions() {
        RankSource source = RankSource.find(variables).orElseThrow(this::noRank);
        RankAndSize rankAndSize = source.rankAndSize(variables);
        JobUri uri = uri();
        if (uri == null) {
            source.checkNotAloneAmongMany(rankAndSize, variables);
        }
        JobAddress address = uri == null ? address(source, rankAndSize) : uri.address();
        JobOptions options = JobOptions.of(
                        address.job(), address.host(), address.port(), rankAndSize.rank(), rankAndSize.size())
                .withCluster(clusterBy() == ClusterBy.SWITCH ? SlurmSwitch.clusterOf(variables) : cluster(uri))
                .withClusterBy(clusterBy())
                .withSecret(secret())
                .withTls(tls());
        String timeout = variables.text(CONNECT_TIMEOUT);
        return timeout == null ? options : options.withConnectTimeout(connectTimeout(timeout));
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
        JobUri parsed = JobUri.parse("URI", uri);
        JobAddress address = parsed.address();
        return JobOptions.of(address.job(), address.host(), address.port(), 1, 2)
                .withCluster(parsed.cluster() == null ? variables.text(CLUSTER) : parsed.cluster())
                .withSecret(secret())
                .withTls(tls());
    }

    /**
     * Of a job whose nodes this process is going to start: name and address from {@code ROBBER_URI}, or else that name and no address;
     * cluster, secret and encryption from the environment. Rank and size are ignored.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if a variable is malformed
     */
    public JobOptions startOptions(String job) {
        JobUri uri = uri();
        JobAddress address = uri == null ? new JobAddress(job, "", 0) : uri.address();
        return JobOptions.of(address.job(), address.host(), address.port(), 0, 1)
                .withCluster(cluster(uri))
                .withSecret(secret())
                .withTls(tls());
    }

    private @Nullable JobUri uri() {
        String text = variables.text(URI);
        return text == null ? null : JobUri.parse(URI, text);
    }

    private static Duration connectTimeout(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw Variables.usage(CONNECT_TIMEOUT + ": " + e.getMessage());
        }
    }

    private RobberException noRank() {
        for (String ours : List.of("ROBBER_SIZE", URI)) {
            if (variables.has(ours)) {
                // The value may be a malformed address with a password in it.
                return Variables.usage(ours + " is set, but no rank; looked for " + RankSource.names());
            }
        }
        return Variables.usage("no launcher's variables in the environment; looked for " + RankSource.names()
                + ". Use a launcher, set ROBBER_RANK, ROBBER_SIZE and " + URI + ", or call Robber.join");
    }

    private JobAddress address(RankSource source, RankAndSize rankAndSize) {
        // No node will connect to a node that is alone.
        return rankAndSize.size() == 1
                ? new JobAddress("robber", JobAddress.LOOPBACK, 0)
                : DerivedAddress.of(source, rankAndSize, variables, slurmNodes);
    }

    /** The address is often the same for all nodes, the variable never: it counts more. */
    private @Nullable String cluster(@Nullable JobUri uri) {
        String name = variables.text(CLUSTER);
        return name != null || uri == null ? name : uri.cluster();
    }

    private ClusterBy clusterBy() {
        String text = variables.text(CLUSTER_BY);
        for (ClusterBy by : ClusterBy.values()) {
            if (text == null || by.name().equalsIgnoreCase(text)) {
                return by;
            }
        }
        throw Variables.usage(CLUSTER_BY + "=" + text + " is none of auto, subnet, rtt, switch, env");
    }

    /**
     * The secret of {@code ROBBER_SECRET_FILE} or {@code ROBBER_SECRET}; empty without both.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if it cannot be read
     */
    public byte[] secret() {
        if (variables.mentions(SECRET) && variables.mentions(SECRET_FILE)) {
            throw Variables.usage(SECRET + " and " + SECRET_FILE + " are both set");
        }
        for (String name : List.of(SECRET, SECRET_FILE)) {
            if (variables.mentions(name) && !variables.has(name)) {
                // It got lost; nobody wished to do without.
                throw Variables.usage(name + " is set but empty: give the secret, or unset it for a job without one");
            }
        }
        String text = variables.text(SECRET);
        String file = variables.text(SECRET_FILE);
        if (file != null) {
            return SecretFile.read(path(SECRET_FILE, file));
        }
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }

    private TlsOptions tls() {
        TlsOptions.Mode mode = tlsMode();
        String certificate = variables.text(TLS_CERT);
        String key = variables.text(TLS_KEY);
        String authority = variables.text(TLS_CA);
        if (certificate == null && key == null && authority == null) {
            return new TlsOptions(mode, null);
        }
        if (certificate == null || key == null || authority == null) {
            throw Variables.usage(TLS_CERT + ", " + TLS_KEY + " and " + TLS_CA + " belong together: set all or none");
        }
        if (mode == TlsOptions.Mode.OFF) {
            throw Variables.usage(TLS + "=off, but there are certificates");
        }
        return TlsOptions.of(
                new TlsOptions.Files(path(TLS_CERT, certificate), path(TLS_KEY, key), path(TLS_CA, authority)));
    }

    private TlsOptions.Mode tlsMode() {
        String text = variables.text(TLS);
        return switch (text == null ? "auto" : text) {
            case "auto" -> TlsOptions.Mode.AUTO;
            case "on" -> TlsOptions.Mode.ON;
            case "off" -> TlsOptions.Mode.OFF;
            default -> throw Variables.usage(TLS + "=" + text + " is none of auto, on, off");
        };
    }

    private static Path path(String variable, String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw Variables.usage(variable + " is not the name of a file");
        }
    }
}
