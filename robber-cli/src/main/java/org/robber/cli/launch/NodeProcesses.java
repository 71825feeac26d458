package org.robber.cli.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.JobControl.JobProgress;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.FailureSummary.Failure;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.FileFailure;
import org.robber.cli.request.TimeLimit;
import org.slf4j.LoggerFactory;

/**
 * All nodes of a job as processes of this machine, some of which lead to other hosts. Starts them together, tells them where rank 0
 * listens, and sees to it that all end. They have ended when {@link #run} returns, or when this process is told to end.
 */
public final class NodeProcesses {

    /**
     * A node to be started.
     *
     * @param name as people know it
     * @param start of the process that it runs in, or that leads to it
     * @param remote whether the node is elsewhere, and that process leads to it
     * @param order told to the process, unless it needs none
     * @param lastWords the last line of its standard error, if it is elsewhere; only once it has ended
     */
    public record Node(
            String name, Start start, boolean remote, Optional<NodeOrder> order, Supplier<String> lastWords) {

        /** A node on this machine. */
        public static Node local(String name, ProcessBuilder command, Optional<NodeOrder> order) {
            return new Node(name, command::start, false, order, () -> "");
        }

        /** A node elsewhere, with the process that leads to it. The starter of that process forwards its standard error. */
        public static Node remote(String name, Process leading, NodeOrder order, Supplier<String> lastWords) {
            return new Node(name, () -> leading, true, Optional.of(order), lastWords);
        }
    }

    /** Starts a process, or hands over one that runs. */
    interface Start {
        Process process() throws IOException;
    }

    /** How long after the deadline nodes may take to end by themselves, or by force. */
    private static final Duration OVERDUE = Duration.ofSeconds(12);

    private final StartedNodes nodes;
    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final FailureSummary summary = new FailureSummary();
    private final String secretHex;
    private final NodeOutput output;
    private final StatusConsole console;

    private final UnaryOperator<RobberException> undelivered;

    private ExitTimeouts timeouts = new ExitTimeouts(null, System::nanoTime);

    /** Where rank 0 listens on this machine, or 0. */
    private int port;

    private boolean joined;

    private final AtomicBoolean started = new AtomicBoolean();

    /** Whether rank 0 has told a result. */
    private final AtomicBoolean delivered = new AtomicBoolean();

    /** By rank. Of a copy rank 0 tells that of all nodes, of other jobs each node its own. */
    private final Map<Integer, JobProgress> progressOf = new HashMap<>();

    /**
     * @param secretHex the job's secret, made for this job alone
     * @param output told what rank 0 says, and of the failure of the job
     * @param undelivered delivers the result of a job whose rank 0 ended without a word; returns the failure of the command
     * @param leftovers removes what nodes that were ended by signals could not remove; run when all have ended,
     *     perhaps twice
     */
    public NodeProcesses(
            String secretHex,
            NodeOutput output,
            StatusConsole console,
            UnaryOperator<RobberException> undelivered,
            Runnable leftovers) {
        this.secretHex = secretHex;
        this.output = output;
        this.console = console;
        this.undelivered = undelivered;
        this.nodes = new StartedNodes(leftovers);
    }

    /** After how long the nodes of a job with this deadline are stopped, or null. */
    public static @Nullable Duration limit(@Nullable TimeLimit deadline) {
        return deadline == null ? null : deadline.left().plus(OVERDUE);
    }

    /**
     * Runs the job.
     *
     * @param job its nodes, by rank
     * @param limit after which nodes are stopped, or null
     * @return the job's exit code
     * @throws RobberException if processes can't be started
     */
    public int run(List<Node> job, @Nullable Duration limit) throws InterruptedException {
        Thread hook = new Thread(nodes::stop, "stop-nodes");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            start(job);
            timeouts = new ExitTimeouts(limit, System::nanoTime);
            boolean inTime = awaitAll();
            List<NodeProcess> killed = nodes.killedByOthers();
            Failure overdue = inTime ? null : overdue(limit);
            // the timeout has passed: they are not asked to end by themselves
            nodes.all().forEach(NodeProcess::kill);
            nodes.stop();
            drainEvents();
            output.ended();
            List<String> remarks = new ArrayList<>();
            Failure failure = summary.ofJob(nodes.all(), timeouts.hasLost(), killed, overdue, remarks);
            remarks.forEach(remark -> console.line("robber-cli: warning: " + remark));
            if (failure == null) {
                return 0;
            }
            output.error(failure.exitCode(), delivered(failure, killed));
            return failure.exitCode();
        } finally {
            nodes.stop();
            removeHook(hook);
        }
    }

    /** The message of a failure of the job, of which nobody else has told if rank 0 was killed. */
    private String delivered(Failure failure, List<NodeProcess> killed) {
        if (delivered.get() || summary.of(0) != null) {
            return failure.message();
        }
        Reason reason = Reason.ofExitCode(failure.exitCode());
        List<Integer> ranks = killed.stream().map(NodeProcess::rank).toList();
        return FailureText.of(undelivered.apply(new RobberException(reason, ranks, "launch", failure.message())));
    }

    private void start(List<Node> job) {
        for (int rank = 0; rank < job.size(); rank++) {
            try {
                start(rank, job.get(rank));
            } catch (IOException e) {
                throw new RobberException(
                        Reason.INTERNAL,
                        List.of(rank),
                        "launch",
                        "cannot start " + job.get(rank).name() + ": " + FileFailure.text(e),
                        e);
            }
        }
    }

    private void start(int rank, Node node) throws IOException {
        nodes.start(rank, node, listenerTo(rank), console).ifPresent(process -> {
            process.onExit(() -> events.add(() -> {}));
            process.tell(ParentLink.SECRET + secretHex);
            node.order().ifPresent(order -> {
                process.tell(ParentLink.ORDER + NodeOrderCodec.toText(order));
                if (rank == 0 && order.request().readsStandardInput()) {
                    process.forward(System.in);
                }
            });
        });
    }

    /** Whether all nodes have ended in time, but for those that the job went on without. */
    private boolean awaitAll() throws InterruptedException {
        boolean rootEnded = false;
        while (!nodes.running().isEmpty()) {
            if (!rootEnded && !nodes.all().get(0).running()) {
                rootEnded = true;
                drainEvents();
                if (port == 0) {
                    // no node will learn the address of rank 0
                    nodes.all().forEach(NodeProcess::hangUp);
                }
            } else if (!rootEnded && !joined && port != 0) {
                standInForEnded();
            }
            timeouts.loseUnconnected(nodes.all());
            long leftNanos = timeouts.leftNanos(nodes.all());
            if (leftNanos <= 0) {
                return timeouts.allEnded(nodes.all());
            }
            Runnable event = events.poll(leftNanos, TimeUnit.NANOSECONDS);
            if (event != null) {
                event.run();
            }
        }
        return true;
    }

    /** Rank 0 waits for all nodes, and does not know that some will not come. */
    private void standInForEnded() throws InterruptedException {
        NodeOrder ofRoot = nodes.all().get(0).order().orElse(null);
        for (NodeProcess process : nodes.all()) {
            NodeOrder order = process.order().orElse(null);
            boolean failed = process.rank() != 0 && !process.running() && process.exitCode() != 0;
            if (failed && ofRoot != null && order != null && timeouts.lose(process.rank())) {
                drainEvents();
                StandIn.begin(process, order, ofRoot.place().host(), port, secretHex, summary.of(process.rank()));
            }
        }
    }

    private Failure overdue(@Nullable Duration limit) {
        String names = nodes.all().stream()
                .filter(NodeProcess::running)
                .map(NodeProcess::label)
                .collect(Collectors.joining(", "));
        boolean allRan = nodes.all().stream().allMatch(NodeProcess::running);
        return allRan && limit != null
                ? new Failure(Reason.DEADLINE.exitCode(), "the deadline has passed; stopped: " + names)
                : new Failure(
                        Reason.NETWORK.exitCode(), "stopped, because they did not end when another node had: " + names);
    }

    /** Hears everything that nodes which have ended have said. */
    private void drainEvents() throws InterruptedException {
        for (NodeProcess process : nodes.all()) {
            if (!process.running()) {
                process.awaitOutput();
            }
        }
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this process is ending already: its code is that of the signal, not ours
            LoggerFactory.getLogger(NodeProcesses.class).debug("ending", e);
        }
    }

    private static JobProgress sum(JobProgress one, JobProgress other) {
        return new JobProgress(
                one.bytesDone() + other.bytesDone(),
                one.bytesTotal() + other.bytesTotal(),
                one.nodesDone() + other.nodesDone(),
                one.nodes() + other.nodes(),
                List.of());
    }

    private NodeOutput listenerTo(int rank) {
        return new NodeOutput() {
            @Override
            public void listening(int port) {
                events.add(() -> {
                    NodeProcesses.this.port = port;
                    nodes.all().stream()
                            .filter(process -> process.rank() != rank)
                            .forEach(process -> process.tell(ParentLink.RENDEZVOUS + port));
                });
            }

            @Override
            public void joined(int size) {
                events.add(() -> joined = true);
            }

            @Override
            public void started(long bytesTotal) {
                if (started.compareAndSet(false, true)) {
                    output.started(bytesTotal);
                }
            }

            @Override
            public void progress(JobProgress progress) {
                // Else an older sum might be shown last.
                synchronized (progressOf) {
                    progressOf.put(rank, progress);
                    progressOf.values().stream().reduce(NodeProcesses::sum).ifPresent(output::progress);
                }
            }

            @Override
            public void lost(int lostRank) {
                events.add(() -> timeouts.lose(lostRank));
                output.lost(lostRank);
            }

            @Override
            public void result(String line) {
                delivered.set(true);
                // Its reader may take it late, as a pager does.
                events.add(() -> timeouts.printing(true));
                output.result(line);
                events.add(() -> timeouts.printing(false));
            }

            @Override
            public void error(int exitCode, String message) {
                events.add(() -> summary.add(rank, exitCode, message));
            }
        };
    }
}
