package org.robber.cli.remote;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.JobPlace;
import org.robber.cli.launch.LocalRun;
import org.robber.cli.launch.NodeOrder;
import org.robber.cli.launch.NodeProcesses;
import org.robber.cli.launch.ProcessTree;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.probe.ProbeProcess;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.remote.HostStart.Outcome;
import org.robber.cli.replicate.ReportDelivery;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.request.JobRequest;
import org.robber.cli.request.ProbeRequest;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;
import org.robber.cli.verify.VerifyProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code replicate -w}: a node on each host, started by ssh or a daemon. Rank 0 is a process on this machine, or on another host that has the source. It
 * reads the source and writes no copy, unless it has only a part. Hosts whose node cannot be started are left out if the job goes on without lost nodes.
 */
public final class RemoteRun {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteRun.class);
    private static final String PHASE = "launch";
    private static final int MOST_NAMED = 8;

    private final List<ListedHost> hosts;
    private final @Nullable ListedHost source;
    private final NodeOrder order;
    private final JobOptions job;
    private final NodeOutput output;
    private final StatusConsole console = StatusConsole.standardError();
    private final Starter starter;
    private final RemoteStarts starts;

    /**
     * @param source the host that rank 0 is started on; null for this machine
     * @param starter of the nodes; closed at the end
     * @param order of all nodes; its destination may have placeholders
     * @param job its secret, the cluster of rank 0, and the address at which rank 0 is reached, or an empty host for the one that each
     *     host sees this machine at
     * @param output shown the progress and the result of the job
     */
    public RemoteRun(
            List<ListedHost> hosts,
            @Nullable ListedHost source,
            Starter starter,
            NodeOrder order,
            JobOptions job,
            NodeOutput output) {
        this.hosts = List.copyOf(hosts);
        this.source = source;
        this.order = order;
        this.job = job;
        this.output = output;
        this.starter = starter;
        this.starts = new RemoteStarts(starter, order.network().connect(), console);
    }

    /** Runs the job; returns the exit code. */
    public int run() throws InterruptedException {
        TimeLimit deadline = order.request().deadline();
        if (source == null) {
            order.request().removeEarlierReport();
        }
        Thread hook = new Thread(() -> starts.giveUp("interrupted"), "stop-starts");
        Runtime.getRuntime().addShutdownHook(hook);
        List<ListedHost> all = new ArrayList<>(hosts);
        if (source != null) {
            all.add(source);
        }
        List<Outcome> started = starts.run(all, deadline);
        try {
            List<AbsentNode> absent = absent(started.subList(0, hosts.size()));
            NodeProcesses processes = new NodeProcesses(
                    HexFormat.of().formatHex(job.secret()),
                    output,
                    console,
                    failure -> failed(absent, failure),
                    () -> {});
            return run(processes, started, absent, deadline);
        } finally {
            // nothing is left of those that the job has not come to
            started.forEach(outcome -> end(outcome.process()));
            starter.close();
        }
    }

    private int run(
            NodeProcesses processes, List<Outcome> started, List<AbsentNode> absent, @Nullable TimeLimit deadline)
            throws InterruptedException {
        try {
            return processes.run(nodes(started, absent, deadline), NodeProcesses.limit(deadline));
        } catch (RobberException e) {
            return CommandRun.failed(failed(absent, e), output);
        }
    }

    /**
     * The nodes of the job, if it can begin.
     *
     * @param started all hosts, and behind them that of rank 0 if this is another machine
     */
    private List<NodeProcesses.Node> nodes(
            List<Outcome> started, List<AbsentNode> absent, @Nullable TimeLimit deadline) {
        List<Outcome> outcomes = started.subList(0, hosts.size());
        Outcome atSource = source == null ? null : started.get(hosts.size());
        if (atSource != null
                && (atSource.process() == null || atSource.reached().isEmpty())) {
            throw noSource(atSource.host().address() + ": "
                    + (atSource.process() == null
                            ? atSource.text()
                            : "it does not know where it was reached (SSH_CONNECTION is not set there)"));
        }
        for (int rank = 1; rank <= outcomes.size(); rank++) {
            Outcome outcome = outcomes.get(rank - 1);
            if (outcome.process() == null && order.request().needs(rank)) {
                throw noSource(outcome.host().address() + ": " + outcome.text());
            }
        }
        List<Outcome> ready =
                outcomes.stream().filter(outcome -> outcome.process() != null).toList();
        return nodes(ready, atSource, requestWithout(absent, deadline));
    }

    /** Delivers the result of a job of which rank 0 tells nothing; returns the failure of the command. */
    private RobberException failed(List<AbsentNode> absent, RobberException failure) {
        JobRequest request = order.request();
        if (request instanceof ReplicateRequest copy) {
            return ReportDelivery.unbegun(copy, output, hosts.size() + 1, absent, failure);
        }
        return request instanceof VerifyRequest verify
                ? VerifyProcess.unbegun(verify, output, failure)
                : ProbeProcess.failed((ProbeRequest) request, output, failure);
    }

    private static RobberException noSource(String why) {
        return new RobberException(
                Reason.TOO_FEW_NODES, List.of(), PHASE, "a node that has SRC could not be started: " + why);
    }

    private static void end(@Nullable Process leading) {
        if (leading != null) {
            ProcessTree.kill(leading);
        }
    }

    private static List<AbsentNode> absent(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.process() == null)
                .map(outcome -> new AbsentNode(
                        outcome.host().name(),
                        Optional.ofNullable(outcome.host().cluster()).orElse(""),
                        outcome.host().address() + ": " + outcome.text()))
                .toList();
    }

    /** @throws RobberException if the job cannot do without these */
    private JobRequest requestWithout(List<AbsentNode> absent, @Nullable TimeLimit deadline) {
        int size = hosts.size() + 1;
        boolean late = !absent.isEmpty() && deadline != null && deadline.left().isZero();
        if (late || !order.request().goesOnWithout(absent.size(), size)) {
            String reasons =
                    absent.stream().limit(MOST_NAMED).map(AbsentNode::message).collect(Collectors.joining("; "));
            throw new RobberException(
                    late ? Reason.DEADLINE : Reason.TOO_FEW_NODES,
                    List.of(),
                    PHASE,
                    absent.size() + " of " + hosts.size() + " nodes could not be started: " + reasons
                            + (absent.size() > MOST_NAMED ? "; and " + (absent.size() - MOST_NAMED) + " more" : ""));
        }
        absent.forEach(node -> LOG.warn("the job goes on without {}", node.message()));
        return order.request().without(absent, size);
    }

    private List<NodeProcesses.Node> nodes(List<Outcome> ready, @Nullable Outcome atSource, JobRequest request) {
        int size = ready.size() + 1;
        List<NodeProcesses.Node> nodes = new ArrayList<>();
        String listening = !job.host().isEmpty() || atSource == null ? listeningHost(ready) : atSource.reached();
        NodeOrder ofRoot = order.at(
                new JobPlace(0, size, clusterOfRankZero(), listening, job.port()),
                request.atSource(source == null ? null : source.name()));
        Process leading = atSource == null ? null : atSource.process();
        nodes.add(
                atSource == null || leading == null
                        ? NodeProcesses.Node.local("this machine", LocalRun.command(), Optional.of(ofRoot))
                        : NodeProcesses.Node.remote(
                                atSource.host().address(), leading, ofRoot, atSource.start()::lastWords));
        for (Outcome outcome : ready) {
            ListedHost host = outcome.host();
            String rankZero = atSource != null ? listening : job.host().isEmpty() ? outcome.text() : job.host();
            JobPlace place = new JobPlace(nodes.size(), size, host.cluster(), rankZero, job.port());
            if (outcome.process() != null) {
                nodes.add(NodeProcesses.Node.remote(
                        host.address(),
                        outcome.process(),
                        order.at(place, request.onHost(host.name())),
                        outcome.start()::lastWords));
            }
        }
        return nodes;
    }

    /** A host that has the source, or a part of it, is in the cluster that the list names for it. */
    private @Nullable String clusterOfRankZero() {
        return source == null || source.cluster() == null ? job.cluster() : source.cluster();
    }

    /** The one address at which all hosts see this machine; or all of its addresses, if these differ or are translated on the way. */
    private String listeningHost(List<Outcome> ready) {
        if (!job.host().isEmpty()) {
            return job.host();
        }
        Set<String> seen = new LinkedHashSet<>();
        boolean allOwn = true;
        for (Outcome outcome : ready) {
            String address = outcome.text();
            String name = outcome.host().address();
            if (address.isEmpty()) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(),
                        PHASE,
                        name + " does not know from where it was reached (SSH_CONNECTION is not set there): set"
                                + " ROBBER_URI=robber://JOB@HOST:PORT to where rank 0 can listen");
            }
            if (seen.add(address) && !isOwn(address)) {
                allOwn = false;
                LOG.warn(
                        "{} sees this machine at {}, which is none of its addresses: if its node cannot connect, set"
                                + " ROBBER_URI=robber://JOB@HOST:PORT to an address that reaches this machine",
                        name,
                        address);
            }
        }
        if (seen.size() == 1 && allOwn) {
            return seen.iterator().next();
        }
        return seen.stream().anyMatch(address -> address.contains(":")) ? "::" : "0.0.0.0";
    }

    private static boolean isOwn(String address) {
        try {
            InetAddress numeric = InetAddress.getByName(address);
            return numeric.isLoopbackAddress() || NetworkInterface.getByInetAddress(numeric) != null;
        } catch (UnknownHostException | SocketException e) {
            LOG.debug("{} is no address of this machine", address, e);
            return false;
        }
    }
}
