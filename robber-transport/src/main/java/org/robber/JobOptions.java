package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node finds its job.
 *
 * @param job name of the job, not blank; nodes of other jobs are refused
 * @param host where rank 0 listens, a name or a numeric address
 * @param port where rank 0 listens; 0 at rank 0 itself: any free one
 * @param rank this node, 0..size-1
 * @param size how many nodes take part, at least 1
 * @param cluster name of this node's cluster, or null: rank 0 decides, as {@code clusterBy} says
 * @param clusterBy used at rank 0: what tells which nodes are a cluster
 * @param hostName name of this node's machine for people, or empty: the name that the machine has
 * @param secret known to the nodes of the job alone; empty: no secret
 * @param tls whether connections are encrypted, and with which keys
 * @param connectTimeout how long to wait until all are there
 * @param silenceTimeout how long a node may say nothing on its control connection before it counts as lost
 * @param peerStallTimeout how long a peer that was asked for pieces may send nothing at all until others are asked for them; a peer that
 *     is merely slow is never passed over
 * @param stallTimeout how long a multicast that every node has begun may stand still before the job fails; no less than
 *     the time in which nodes say how far they are, a quarter of a second
 * @param sendLimits how fast this node sends pieces
 * @param dataAddress where this node listens for the data of its peers
 * @param congestion name of the congestion control of connections for data, where the kernel lets programs choose it; empty: the system's
 * @param relays the nodes that may pass on bytes between nodes that cannot connect to each other, by rank, host or cluster; empty: all nodes; {@code none} alone: no node
 * @param settings what must be equal on all nodes, as text that can be shown when it isn't
 * @param transport name of the transport
 */
@SuppressWarnings("ArrayRecordComponent") // options are never compared, and a secret must not be copied around as text
public record JobOptions(
        String job,
        String host,
        int port,
        int rank,
        int size,
        @Nullable String cluster,
        ClusterBy clusterBy,
        String hostName,
        byte[] secret,
        TlsOptions tls,
        Duration connectTimeout,
        Duration silenceTimeout,
        Duration peerStallTimeout,
        Duration stallTimeout,
        SendLimits sendLimits,
        DataAddress dataAddress,
        String congestion,
        List<String> relays,
        String settings,
        String transport) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration PEER_STALL_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SHORTEST_STALL = Duration.ofMillis(250);

    /** As good as for ever, and still a number of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    public JobOptions {
        checkArgument(!job.isBlank(), "a job needs a name: nodes of other jobs are refused by it");
        checkArgument(size >= 1, "size: %s", size);
        checkArgument(rank >= 0 && rank < size, "rank %s of %s", rank, size);
        checkArgument(
                cluster == null || cluster.chars().noneMatch(Character::isISOControl),
                "the name of a cluster has control characters");
        checkArgument(port >= 0 && port <= 0xFFFF, "port: %s", port);
        check("connectTimeout", connectTimeout, SHORTEST);
        check("silenceTimeout", silenceTimeout, SHORTEST);
        check("peerStallTimeout", peerStallTimeout, SHORTEST);
        check("stallTimeout", stallTimeout, SHORTEST_STALL);
    }

    private static void check(String name, Duration timeout, Duration shortest) {
        checkArgument(
                timeout.compareTo(shortest) >= 0 && timeout.compareTo(LONGEST) <= 0,
                "%s: %s, of %s to %s",
                name,
                timeout,
                shortest,
                LONGEST);
    }

    /**
     * The defaults: clusters found by names, subnets and round-trip times; the machine's own name; no secret, encrypted once there is one; Netty. A node may take
     * a minute to connect, may be silent for half a minute, and may stand still for a minute.
     */
    public static JobOptions of(String job, String host, int port, int rank, int size) {
        return new JobOptions(
                job,
                host,
                port,
                rank,
                size,
                null,
                ClusterBy.AUTO,
                "",
                new byte[0],
                TlsOptions.auto(),
                CONNECT_TIMEOUT,
                SILENCE_TIMEOUT,
                PEER_STALL_TIMEOUT,
                STALL_TIMEOUT,
                SendLimits.none(),
                DataAddress.any(),
                "",
                List.of(),
                "",
                "netty");
    }

    public JobOptions withPort(int newPort) {
        Draft draft = new Draft(this);
        draft.port = newPort;
        return draft.options();
    }

    public JobOptions withCluster(@Nullable String newCluster) {
        Draft draft = new Draft(this);
        draft.cluster = newCluster;
        return draft.options();
    }

    /** With another way to find clusters. */
    public JobOptions withClusterBy(ClusterBy by) {
        Draft draft = new Draft(this);
        draft.clusterBy = by;
        return draft.options();
    }

    public JobOptions withHostName(String name) {
        Draft draft = new Draft(this);
        draft.hostName = name;
        return draft.options();
    }

    public JobOptions withSecret(byte[] newSecret) {
        Draft draft = new Draft(this);
        draft.secret = newSecret;
        return draft.options();
    }

    public JobOptions withTls(TlsOptions newTls) {
        Draft draft = new Draft(this);
        draft.tls = newTls;
        return draft.options();
    }

    public JobOptions withConnectTimeout(Duration timeout) {
        Draft draft = new Draft(this);
        draft.connectTimeout = timeout;
        return draft.options();
    }

    public JobOptions withSilenceTimeout(Duration timeout) {
        Draft draft = new Draft(this);
        draft.silenceTimeout = timeout;
        return draft.options();
    }

    public JobOptions withPeerStallTimeout(Duration timeout) {
        Draft draft = new Draft(this);
        draft.peerStallTimeout = timeout;
        return draft.options();
    }

    public JobOptions withStallTimeout(Duration timeout) {
        Draft draft = new Draft(this);
        draft.stallTimeout = timeout;
        return draft.options();
    }

    public JobOptions withSendLimits(SendLimits limits) {
        Draft draft = new Draft(this);
        draft.sendLimits = limits;
        return draft.options();
    }

    /** With another address or other ports for data. */
    public JobOptions withDataAddress(DataAddress address) {
        Draft draft = new Draft(this);
        draft.dataAddress = address;
        return draft.options();
    }

    /** With another congestion control, such as {@code bbr}. */
    public JobOptions withCongestion(String name) {
        Draft draft = new Draft(this);
        draft.congestion = name;
        return draft.options();
    }

    /** With other relays: ranks, hosts or clusters. */
    public JobOptions withRelays(List<String> names) {
        Draft draft = new Draft(this);
        draft.relays = List.copyOf(names);
        return draft.options();
    }

    public JobOptions withSettings(String newSettings) {
        Draft draft = new Draft(this);
        draft.settings = newSettings;
        return draft.options();
    }

    /** All but the secret. */
    @Override
    public String toString() {
        return "rank " + rank + " of " + size + " in job " + job + " at " + host + ":" + port;
    }

    /** Options of which one is about to differ. */
    private static final class Draft {
        private final JobOptions base;
        private int port;
        private @Nullable String cluster;
        private ClusterBy clusterBy;
        private String hostName;
        private byte[] secret;
        private TlsOptions tls;
        private Duration connectTimeout;
        private Duration silenceTimeout;
        private Duration peerStallTimeout;
        private Duration stallTimeout;
        private SendLimits sendLimits;
        private DataAddress dataAddress;
        private String congestion;
        private List<String> relays;
        private String settings;

        Draft(JobOptions base) {
            this.base = base;
            port = base.port;
            cluster = base.cluster;
            clusterBy = base.clusterBy;
            hostName = base.hostName;
            secret = base.secret;
            tls = base.tls;
            connectTimeout = base.connectTimeout;
            silenceTimeout = base.silenceTimeout;
            peerStallTimeout = base.peerStallTimeout;
            stallTimeout = base.stallTimeout;
            sendLimits = base.sendLimits;
            dataAddress = base.dataAddress;
            congestion = base.congestion;
            relays = base.relays;
            settings = base.settings;
        }

        JobOptions options() {
            return new JobOptions(
                    base.job,
                    base.host,
                    port,
                    base.rank,
                    base.size,
                    cluster,
                    clusterBy,
                    hostName,
                    secret,
                    tls,
                    connectTimeout,
                    silenceTimeout,
                    peerStallTimeout,
                    stallTimeout,
                    sendLimits,
                    dataAddress,
                    congestion,
                    relays,
                    settings,
                    base.transport);
        }
    }
}
