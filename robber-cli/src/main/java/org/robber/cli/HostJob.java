package org.robber.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.JobPlace;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.launch.NetworkSettings;
import org.robber.cli.launch.NodeOrder;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.option.ClusterOption;
import org.robber.cli.option.SecurityOptions;
import org.robber.cli.remote.RemoteRun;
import org.robber.cli.remote.Starter;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.JobRequest;
import org.robber.transport.launch.LaunchEnvironment;

/** A job whose nodes this process starts on hosts, as {@code -w} says. */
final class HostJob {
    private final JobOptions job;
    private final NetworkSettings network;
    private final boolean encrypts;
    private final Detail log;

    /** @throws picocli.CommandLine.ParameterException if options are only for jobs that others start */
    HostJob(SecurityOptions security, ClusterOption clusters, NetworkSettings network, Detail log) {
        security.checkRemote();
        clusters.checkRemote();
        this.job = LaunchEnvironment.of(security.variablesWithoutCertificates()).startOptions(LocalRun.newJobId());
        this.network = network;
        this.encrypts = security.encrypts(/* auto= */ true);
        this.log = log;
    }

    /** The secret that the user has given; empty if none. */
    byte[] secret() {
        return job.secret();
    }

    /** Runs a job with rank 0 on this machine, which needs no bandwidths; returns the exit code. */
    int run(List<ListedHost> hosts, Starter starter, JobRequest request, NodeOutput output)
            throws InterruptedException {
        return run(hosts, null, starter, request, null, /* keepsSecret= */ true, output);
    }

    /**
     * Runs the job; returns the exit code.
     *
     * @param hosts of all nodes but rank 0
     * @param source the host of rank 0, or null for this one
     * @param keepsSecret whether nodes get the secret of the user, and not one of this job alone
     */
    int run(
            List<ListedHost> hosts,
            @Nullable ListedHost source,
            Starter starter,
            JobRequest request,
            @Nullable BandwidthFile bandwidths,
            boolean keepsSecret,
            NodeOutput output)
            throws InterruptedException {
        NodeOrder order = new NodeOrder(job.job(), JobPlace.alone(), request, bandwidths, network, encrypts, log);
        JobOptions withSecret = job.secret().length > 0 && keepsSecret ? job : job.withSecret(LocalRun.newSecret());
        return new RemoteRun(hosts, source, starter, order, withSecret, output).run();
    }
}
