package org.robber.cli.probe;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException.Reason;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.ProbeRequest;
import org.robber.cli.request.TimeLimit;

/** This process as one node, or as all nodes, of a job that measures the network between clusters. */
public final class ProbeProcess {
    private final ProbeRequest request;
    private final NodeOutput output;
    private final CommandRun command;

    /** The jobs that this process takes part in, for the deadline to end. */
    private final Collection<Communicator> joined = new ConcurrentLinkedQueue<>();

    public ProbeProcess(ProbeRequest request, NodeOutput output) {
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
                probe(robber.world());
            }
            return 0;
        });
    }

    /** Runs all nodes in this process, over connections inside this machine. Returns the exit code. */
    public int runLocally(int clusters, int nodesPerCluster) {
        return run(true, () -> {
            try (LocalJob job = Robber.local(clusters, nodesPerCluster)) {
                job.run(this::probe);
            }
            return 0;
        });
    }

    /** Ends this process, because the process that started it has ended and can stop it no more. */
    public void abandoned() {
        command.end(Reason.INTERRUPTED);
    }

    private int run(boolean reports, IntSupplier job) {
        command.stopAtDeadline(request.deadline(), "probe", failure -> joined.forEach(world -> world.fail(failure)));
        return command.run(
                () -> {
                    if (reports) {
                        ReportFile.check(request.reportFile(), 0);
                        ReportFile.check(request.scenario(), 0);
                    }
                    return job.getAsInt();
                },
                failure -> true);
    }

    private void probe(Communicator world) {
        joined.add(world);
        new Probing(request, world, output).run();
    }
}
