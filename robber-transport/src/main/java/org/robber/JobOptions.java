package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
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
        return with(draft -> draft.port = newPort);
    }

    public JobOptions withCluster(@Nullable String newCluster) {
        return with(draft -> draft.cluster = newCluster);
    }

    /** With another way to find clusters. */
    public JobOptions withClusterBy(ClusterBy by) {
        return with(draft -> draft.clusterBy = by);
    }

    public JobOptions withHostName(String name) {
        return with(draft -> draft.hostName = name);
    }

    public JobOptions withSecret(byte[] newSecret) {
        return with(draft -> draft.secret = newSecret);
    }

    public JobOptions withTls(TlsOptions newTls) {
        return with(draft -> draft.tls = newTls);
    }

    public JobOptions withConnectTimeout(Duration timeout) {
        return with(draft -> draft.connectTimeout = timeout);
    }

    public JobOptions withSilenceTimeout(Duration timeout) {
        return with(draft -> draft.silenceTimeout = timeout);
    }

    public JobOptions withPeerStallTimeout(Duration timeout) {
        return with(draft -> draft.peerStallTimeout = timeout);
    }

    public JobOptions withStallTimeout(Duration timeout) {
        return with(draft -> draft.stallTimeout = timeout);
    }

    public JobOptions withSendLimits(SendLimits limits) {
        return with(draft -> draft.sendLimits = limits);
    }

    /** With another address or other ports for data. */
    public JobOptions withDataAddress(DataAddress address) {
        return with(draft -> draft.dataAddress = address);
    }

    /** With another congestion control, such as {@code bbr}. */
    public JobOptions withCongestion(String name) {
        return with(draft -> draft.congestion = name);
    }

    /** With other relays: ranks, hosts or clusters. */
    public JobOptions withRelays(List<String> names) {
        return with(draft -> draft.relays = List.copyOf(names));
    }

    public JobOptions withSettings(String newSettings) {
        return with(draft -> draft.settings = newSettings);
    }

    private JobOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
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
