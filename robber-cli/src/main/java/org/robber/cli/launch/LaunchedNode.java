package org.robber.cli.launch;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TlsOptions;
import org.robber.cli.log.LogSetup;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.probe.ProbeProcess;
import org.robber.cli.replicate.ReplicateProcess;
import org.robber.cli.request.ProbeRequest;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.VerifyRequest;
import org.robber.cli.verify.VerifyProcess;
import org.robber.transport.launch.LaunchEnvironment;
import org.robber.transport.launch.UserHome;
import org.robber.transport.storage.record.CopyRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as the node that its environment says, and the job that it takes part in. */
public final class LaunchedNode {

    private static final Logger LOG = LoggerFactory.getLogger(LaunchedNode.class);

    /** How long the process of rank 0 may take to start; that of this node may have been faster. */
    private static final Duration ROOT_START = Duration.ofMinutes(1);

    /** How long the process that started this one may send nothing before it sends the order: it may be suspended for a while. */
    private static final Duration ORDER_SILENCE = Duration.ofMinutes(10);

    private LaunchedNode() {}

    /**
     * Takes part in a job whose processes were started by mpirun, srun or anything else; returns the exit code.
     *
     * @param variables of this process, with the values of options in place of those of the environment
     */
    public static int run(
            ReplicateRequest request, NetworkSettings network, Map<String, String> variables, NodeOutput output) {
        LaunchEnvironment launch = environment(variables);
        if (!launch.isPresent()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "no nodes: use --local=2x4, name hosts by -w, or run this command once per node under mpirun or srun, or with"
                            + " ROBBER_RANK, ROBBER_SIZE and ROBBER_URI set");
        }
        JobOptions options = network.of(launch.jobOptions()).withSettings(request.settings());
        if (options.rank() == 0 && !request.source().isStriped()) {
            String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
            LOG.info("others join with: robber-cli join robber://{}@{}:{} DEST", options.job(), host, options.port());
        }
        return new ReplicateProcess(request, LaunchedNode::standardInput, output, false).run(options);
    }

    private static ReadableByteChannel standardInput() {
        return new FileInputStream(FileDescriptor.in).getChannel();
    }

    /** The job that these variables describe. Timeouts are left out: they are options, which have read their variables. */
    public static LaunchEnvironment environment(Map<String, String> variables) {
        Map<String, String> launch = new HashMap<>(variables);
        launch.remove("ROBBER_CONNECT_TIMEOUT");
        return LaunchEnvironment.of(launch);
    }

    /** Takes part in a job by the order that comes through standard input; returns the exit code. */
    public static int runOrdered() {
        return runOrdered(order -> order);
    }

    /**
     * The same for a daemon.
     *
     * @param arguments that say what this host allows, see {@link HostTerms}
     */
    public static int runServed(List<String> arguments) {
        return runOrdered(HostTerms.of(arguments)::restrict);
    }

    private static int runOrdered(UnaryOperator<NodeOrder> restriction) {
        AbandonedNode abandoned = new AbandonedNode();
        try (ParentLink parent = ParentLink.listen(ParentLink.bytesOf(standardInput()), abandoned)) {
            return runOrdered(restriction, parent, abandoned);
        }
    }

    private static int runOrdered(UnaryOperator<NodeOrder> restriction, ParentLink parent, AbandonedNode abandoned) {
        NodeOrder order = restriction.apply(parent.order(ORDER_SILENCE));
        LogSetup.show(order.log());
        JobOptions options = options(order, parent.secret());
        options = options.rank() == 0
                ? options
                : options.withPort(parent.port(options.connectTimeout().plus(ROOT_START)));
        PipeOutput output = new PipeOutput(System.out);
        if (order.request() instanceof ProbeRequest probe) {
            ProbeProcess process = new ProbeProcess(probe, output);
            abandoned.set(process::abandoned);
            return process.run(options);
        }
        if (order.request() instanceof VerifyRequest verify) {
            VerifyProcess process =
                    new VerifyProcess(verify.withStateFolder(recordsFolder(verify.stateFolder())), output);
            abandoned.set(process::abandoned);
            return process.run(options);
        }
        ReplicateRequest copy = (ReplicateRequest) order.request();
        ReplicateProcess process = new ReplicateProcess(
                copy.withStateFolder(recordsFolder(copy.copying().stateFolder())), parent::data, output, true);
        abandoned.set(process::abandoned);
        return process.run(options);
    }

    /** The folder of records of this machine, unless the job names one. */
    private static Path recordsFolder(@Nullable Path named) {
        return named == null ? CopyRecords.defaultFolder(System.getenv(), UserHome.path()) : named;
    }

    /** The job and the place in it that an order describes. */
    static JobOptions options(NodeOrder order, byte[] secret) {
        return order.network()
                .of(order.place().options(order.jobId()))
                .withSecret(secret)
                .withTls(order.encrypts() ? TlsOptions.on() : TlsOptions.off())
                .withSettings(order.request().settings());
    }

    /** Ends the node when the process that started it is gone, however early that is. */
    private static final class AbandonedNode implements Runnable {
        private @Nullable Runnable end;
        private boolean abandoned;

        synchronized void set(Runnable endsNode) {
            end = endsNode;
            if (abandoned) {
                endsNode.run();
            }
        }

        @Override
        public synchronized void run() {
            abandoned = true;
            if (end != null) {
                end.run();
            }
        }
    }
}
