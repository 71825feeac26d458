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

/** Reads a node's job out of its environment. */
final class LaunchReader {
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

    LaunchReader(Map<String, String> variables, UnaryOperator<String> slurmNodes) {
        this.variables = new Variables(variables);
        this.slurmNodes = slurmNodes;
    }

    /** Whether any variable names a rank, or Robber's own name a size or an address. */
    boolean present() {
        return RankSource.find(variables).isPresent() || variables.has("ROBBER_SIZE") || variables.has(URI);
    }

    /**
     * The job.
     *
     * @throws RobberException with reason USAGE if there is none, or it is told only in part
     */
    JobOptions read() {
        RankSource source = RankSource.find(variables).orElseThrow(this::noRank);
        RankAndSize rankAndSize = source.rankAndSize(variables);
        String uriText = variables.text(URI);
        JobUri uri = uriText == null ? null : JobUri.parse(URI, uriText);
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

    /** The running job at this address, to be joined. */
    JobOptions readToJoin(String uriText) {
        JobUri uri = JobUri.parse("URI", uriText);
        JobAddress address = uri.address();
        return JobOptions.of(address.job(), address.host(), address.port(), 1, 2)
                .withCluster(uri.cluster() == null ? variables.text(CLUSTER) : uri.cluster())
                .withSecret(secret())
                .withTls(tls());
    }

    /** A job that is going to be started. */
    JobOptions readToStart(String job) {
        String uriText = variables.text(URI);
        JobUri uri = uriText == null ? null : JobUri.parse(URI, uriText);
        JobAddress address = uri == null ? new JobAddress(job, "", 0) : uri.address();
        return JobOptions.of(address.job(), address.host(), address.port(), 0, 1)
                .withCluster(cluster(uri))
                .withSecret(secret())
                .withTls(tls());
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

    /** A secret that is set to nothing is one that got lost, not a wish to do without. */
    byte[] secret() {
        if (variables.mentions(SECRET) && variables.mentions(SECRET_FILE)) {
            throw Variables.usage(SECRET + " and " + SECRET_FILE + " are both set");
        }
        for (String name : List.of(SECRET, SECRET_FILE)) {
            if (variables.mentions(name) && !variables.has(name)) {
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
