package org.robber.cli.verify;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException.Reason;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;

/** This process as one node, or as all nodes, of a job that verifies copies. */
public final class VerifyProcess {

    private final VerifyRequest request;
    private final NodeOutput output;
    private final CommandRun command;

    /** The jobs that this process takes part in, for the deadline to end. */
    private final Collection<Communicator> joined = new ConcurrentLinkedQueue<>();

    public VerifyProcess(VerifyRequest request, NodeOutput output) {
        this.request = request;
        this.output = output;
        this.command = new CommandRun(output);
    }

    /** Takes part as one node; returns the exit code. */
    public int run(JobOptions options) {
        return run(options.rank() == 0, () -> {
            try (Robber robber = Robber.join(TimeLimit.limit(options, request.deadline()), output::listening)) {
                if (options.rank() == 0) {
                    output.joined(options.size());
                }
                return verify(robber.world(), new VerifyProgress(output, request.hasCopy() ? 1 : 0));
            }
        });
    }

    /**
     * Runs all nodes in this process: reading takes the time, which needs no other processes. Returns the exit code.
     *
     * @param settings adds to the options of each node
     */
    public int runLocally(int clusters, int nodesPerCluster, UnaryOperator<JobOptions> settings) {
        return run(true, () -> {
            AtomicInteger exitCode = new AtomicInteger();
            VerifyProgress progress = new VerifyProgress(output, clusters * nodesPerCluster);
            try (LocalJob job = Robber.local(clusters, nodesPerCluster, settings)) {
                job.run(world -> {
                    int code = verify(world, progress);
                    if (world.rank() == 0) {
                        exitCode.set(code);
                    }
                });
            }
            return exitCode.get();
        });
    }

    /** Ends this process, because the process that started it has ended and can stop it no more. */
    public void abandoned() {
        command.end(Reason.INTERRUPTED);
    }

    private int run(boolean reports, IntSupplier job) {
        command.stopAtDeadline(request.deadline(), "verify", failure -> joined.forEach(world -> world.fail(failure)));
        return command.run(
                () -> {
                    if (reports) {
                        ReportFile.check(request.reportFile(), 0);
                    }
                    return job.getAsInt();
                },
                failure -> true);
    }

    private int verify(Communicator world, VerifyProgress progress) {
        joined.add(world);
        return new Verification(request, world, output, progress).run();
    }
}
