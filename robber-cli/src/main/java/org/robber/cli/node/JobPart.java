package org.robber.cli.node;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.request.TimeLimit;

/** This process's part in a job that writes no copies: as one node, or as all nodes. */
public final class JobPart {
    private final String name;
    private final @Nullable TimeLimit deadline;
    private final NodeOutput output;
    private final UnaryOperator<RobberException> failed;
    private final CommandRun command;

    /** The jobs that this process takes part in, for the deadline to end. */
    private final Collection<Communicator> joined = new ConcurrentLinkedQueue<>();

    /**
     * Takes part in no job yet.
     *
     * @param name of the command
     * @param failed delivers the result of a job that failed, at rank 0; returns the failure of the command
     */
    public JobPart(
            String name, @Nullable TimeLimit deadline, NodeOutput output, UnaryOperator<RobberException> failed) {
        this.name = name;
        this.deadline = deadline;
        this.output = output;
        this.failed = failed;
        this.command = new CommandRun(output);
    }

    /** The work of one node. */
    @FunctionalInterface
    public interface Work {

        /** Does it and returns the exit code of the node. */
        int run(Communicator world);
    }

    /**
     * Takes part as one node; returns the exit code.
     *
     * @param check done at rank 0, before the nodes meet
     */
    public int asOneNode(JobOptions options, Runnable check, Work work) {
        boolean isFirst = options.rank() == 0;
        return run(isFirst, isFirst ? check : () -> {}, () -> {
            try (Robber robber = Robber.join(TimeLimit.limit(options, deadline), output::listening)) {
                if (isFirst) {
                    output.joined(options.size());
                }
                return takePart(robber.world(), work);
            }
        });
    }

    /**
     * Runs all nodes in this process, over connections inside this machine. Returns the exit code of rank 0.
     *
     * @param settings adds to the options of each node
     * @param check done once, before the nodes meet
     */
    public int asAllNodes(
            int clusters, int nodesPerCluster, UnaryOperator<JobOptions> settings, Runnable check, Work work) {
        return run(
                /* isFirst= */ true, check, () -> {
                    AtomicInteger exitCode = new AtomicInteger();
                    try (LocalJob job = Robber.local(clusters, nodesPerCluster, settings)) {
                        job.run(world -> {
                            int code = takePart(world, work);
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

    private int run(boolean isFirst, Runnable check, IntSupplier job) {
        command.stopAtDeadline(deadline, name, failure -> joined.forEach(world -> world.fail(failure)));
        return command.run(
                () -> {
                    try {
                        check.run();
                        return job.getAsInt();
                    } catch (RobberException e) {
                        throw isFirst ? failed.apply(e) : e;
                    }
                },
                failure -> true);
    }

    private int takePart(Communicator world, Work work) {
        joined.add(world);
        return work.run(world);
    }
}
