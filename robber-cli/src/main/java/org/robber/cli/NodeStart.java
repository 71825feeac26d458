package org.robber.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.SendLimits;
import org.robber.TlsOptions;
import org.robber.cli.launch.ParentLink;
import org.robber.cli.launch.PipeOutput;
import org.robber.cli.replicate.LossPolicy;
import org.robber.cli.replicate.NodeOutput;
import org.robber.cli.replicate.NodeProcess;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.transport.launch.LaunchEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which node this process is, and runs it. */
final class NodeStart {

    private static final Logger LOG = LoggerFactory.getLogger(NodeStart.class);

    private NodeStart() {}

    /** As one of many that were started by something else: the environment says which. */
    static int fromEnvironment(
            ReplicateRequest request,
            Timeouts timeouts,
            SendLimits limits,
            SecurityFiles security,
            Map<String, String> environment,
            NodeOutput output) {
        Map<String, String> variables = new HashMap<>(environment);
        security.addTo(variables);
        // given by an option, which has looked at the variable already
        variables.remove("ROBBER_CONNECT_TIMEOUT");
        LaunchEnvironment launch = LaunchEnvironment.of(variables);
        if (!launch.isPresent()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "no nodes: use --local=2x4, or run this command once per node under mpirun or srun, or with"
                            + " ROBBER_RANK, ROBBER_SIZE and ROBBER_URI set");
        }
        JobOptions options =
                timeouts.of(launch.jobOptions()).withSendLimits(limits).withSettings(settings(request));
        if (options.rank() == 0) {
            String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
            LOG.info("others join with: robber-cli join robber://{}@{}:{} DEST", options.job(), host, options.port());
        }
        return new NodeProcess(request, output, false).run(options);
    }

    /** As one of those that {@link LocalRun} has started. */
    static int launched(
            String jobId,
            ReplicateRequest request,
            Timeouts timeouts,
            SendLimits limits,
            SecurityFiles security,
            Map<String, String> environment) {
        PipeOutput output = new PipeOutput(System.out);
        NodeProcess process = new NodeProcess(request, output, true);
        ParentLink parent = ParentLink.listen(System.in, process::abandoned);
        int rank = Integer.parseInt(environment.getOrDefault("ROBBER_RANK", ""));
        int size = Integer.parseInt(environment.getOrDefault("ROBBER_SIZE", ""));
        JobOptions options = timeouts.of(JobOptions.of(jobId, "127.0.0.1", 0, rank, size))
                .withCluster(environment.get("ROBBER_CLUSTER"))
                .withSecret(parent.secret())
                // Between processes of one user on one machine there is nobody who could listen.
                .withTls(security.wantTls() ? TlsOptions.on() : TlsOptions.off())
                .withSendLimits(limits)
                .withSettings(settings(request));
        return process.run(rank == 0 ? options : options.withPort(parent.port()));
    }

    /** What must be the same on every node. */
    static String settings(ReplicateRequest request) {
        ChannelOptions channel = request.channel();
        MulticastStrategy strategy = Strategies.byName(channel.strategy(), channel.bandwidths());
        // Apart from the strategy, so that who reads of a difference sees which of the two it is.
        String plan = strategy.usesBandwidths() && !channel.bandwidths().isUnknown()
                ? strategy.name() + " --bandwidths=" + channel.bandwidths().digest()
                : strategy.fingerprint();
        LossPolicy losses = request.losses();
        return "replicate --strategy=" + plan + " --piece-size=" + channel.pieceBytes() + " --digest="
                + channel.digest() + (losses.goesOn() ? "" : " --on-failure=abort")
                + (losses.minSuccess() == null ? "" : " --min-success=" + losses.minSuccess())
                + (request.dryRun() ? " --dry-run" : "") + (request.restart() ? " --restart" : "");
    }
}
