package org.robber.cli.option;

import java.time.Duration;
import java.util.List;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.SendLimits;
import org.robber.cli.launch.NetworkSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a node connects to the others of its job, and how long it waits for them. */
public final class ConnectionOptions {

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationText.class,
            description = "How long to wait until all nodes of the job are connected. Default: ${DEFAULT-VALUE}.")
    private Duration connect = Duration.ZERO;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = IdleTimeoutText.class,
            description = "A node that sends nothing for this long is lost; at least 1s. Default: ${DEFAULT-VALUE}.")
    private Duration idle = Duration.ZERO;

    @Option(
            names = "--congestion",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Congestion control of connections for data, such as bbr; Linux only. Default: the system's.")
    private String congestion = "";

    @Option(
            names = "--relay",
            paramLabel = "NODE",
            split = ",",
            description =
                    "Nodes that may pass on bytes between nodes that cannot connect to each other. They are ranks,"
                            + " nodes such as A-0, hosts or clusters, with commas between; or none. Default: all nodes.")
    private List<String> relays = List.of();

    /** The options of a job with these. */
    public JobOptions addTo(JobOptions options) {
        return options.withConnectTimeout(connect)
                .withSilenceTimeout(idle)
                .withCongestion(congestion)
                .withRelays(relays);
    }

    /** The same as settings, with the values of other options. */
    public NetworkSettings settings(Duration stall, SendLimits limits, DataAddress data, ClusterBy clusterBy) {
        return new NetworkSettings(connect, idle, stall, limits, data, congestion, List.copyOf(relays), clusterBy);
    }

    /** The same with the limit for standstill that a job has by default. */
    public NetworkSettings settings(SendLimits limits, DataAddress data, ClusterBy clusterBy) {
        return settings(JobOptions.of("any", "", 0, 0, 1).stallTimeout(), limits, data, clusterBy);
    }

    /** A duration of at least a second: nodes report a few times in it, so that a short pause does not lose one. */
    static final class IdleTimeoutText implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Duration duration = DurationText.parse(text);
            if (duration.compareTo(SHORTEST) < 0) {
                throw new TypeConversionException("'" + text + "' is too short: use at least 1s");
            }
            return duration;
        }
    }
}
