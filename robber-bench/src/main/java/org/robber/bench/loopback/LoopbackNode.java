package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.MulticastChannel;
import org.robber.Robber;
import org.robber.TlsOptions;
import org.robber.TransferStats;
import org.robber.bench.ProcessMeter;

/**
 * One node process of Robber: joins, opens a channel, multicasts once, the first transfer of its life. Rank 0 prints the
 * port at which it listens.
 */
final class LoopbackNode {
    /** The shared secret of nodes that encrypt; the benchmark has nothing to protect. */
    static final String SECRET = "loopback";

    private static final Set<String> OPTIONS = Set.of(
            "rank",
            "processes",
            "cluster",
            "port",
            "strategy",
            "piece-bytes",
            "digest",
            "window",
            "shared-memory",
            "place",
            "tls",
            "data",
            "size",
            "checksum",
            "timeout",
            "report");

    private LoopbackNode() {}

    /** Takes part in one multicast. */
    public static void main(String[] args) throws IOException {
        Arguments arguments = Arguments.parse(OPTIONS, args);
        int rank = arguments.count("rank");
        long cpuBeforeReady = ProcessMeter.cpuNanos();
        try (NodeData data = NodeData.open(
                Place.valueOf(arguments.text("place")),
                Path.of(arguments.text("data")),
                arguments.number("size"),
                rank == 0)) {
            long cpuReady = ProcessMeter.cpuNanos();
            long cpuBefore;
            long started;
            long opened;
            long finished;
            TransferStats stats;
            int ownCluster;
            try (Robber robber = Robber.join(job(arguments), LoopbackNode::tellPort)) {
                cpuBefore = ProcessMeter.cpuNanos();
                started = ProcessMeter.clockNanos();
                try (MulticastChannel channel = robber.world().multicastChannel(channel(arguments))) {
                    opened = ProcessMeter.clockNanos();
                    channel.multicast(data.storage());
                    finished = ProcessMeter.clockNanos();
                    channel.flush();
                    stats = channel.lastStats();
                    ownCluster = robber.world().clusterOf(rank);
                }
            }
            long cpu = ProcessMeter.cpuNanos();
            long peakResidentBytes = ProcessMeter.peakResidentBytes();
            data.check(arguments.number("checksum"));
            new NodeReport(
                            started,
                            opened,
                            finished,
                            cpu - cpuBefore,
                            cpu - (cpuReady - cpuBeforeReady),
                            sum(stats.bytesReceivedFromCluster()),
                            sum(stats.bytesReceivedFromCluster())
                                    - stats.bytesReceivedFromCluster().get(ownCluster),
                            stats.controlBytesSent(),
                            stats.messagesSent(),
                            peakResidentBytes)
                    .writeTo(Path.of(arguments.text("report")));
        }
    }

    private static void tellPort(int port) {
        System.out.println(port);
    }

    private static JobOptions job(Arguments arguments) {
        JobOptions job = JobOptions.of(
                        "loopback",
                        "127.0.0.1",
                        arguments.count("port"),
                        arguments.count("rank"),
                        arguments.count("processes"))
                .withCluster(arguments.text("cluster"))
                .withConnectTimeout(Duration.ofSeconds(arguments.count("timeout")));
        return arguments.text("tls").equals("on")
                ? job.withSecret(SECRET.getBytes(StandardCharsets.US_ASCII)).withTls(TlsOptions.on())
                : job;
    }

    private static ChannelOptions channel(Arguments arguments) {
        return ChannelOptions.defaults()
                .withStrategy(arguments.text("strategy"))
                .withPieceBytes(arguments.count("piece-bytes"))
                .withDigest(arguments.text("digest"))
                .withRequestWindow(arguments.count("window"))
                .withSharedMemory(arguments.text("shared-memory").equals("on"));
    }

    private static long sum(Iterable<Long> values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
