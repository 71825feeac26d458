package org.robber.cli.replicate;

import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.TimeLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as one node of a job: joins, takes part, leaves. A signal, the deadline, or the end of the process that started it
 * may end it. A partial copy stays hidden then, for the next run to resume.
 */
public final class ReplicateProcess {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicateProcess.class);

    /** How long after the deadline nodes may take to put their copies in place and to say so. */
    private static final Duration COMMIT_GRACE = Duration.ofSeconds(3);

    /** How long after that rank 0 ends by force, should the job not have ended by then. */
    private static final Duration ROOT_GRACE = Duration.ofSeconds(2);

    /** The same of all others: rank 0 may have begun a little later, and only it can say how the job ends. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final ReplicateRequest request;
    private final Supplier<ReadableByteChannel> standardInput;
    private final NodeOutput output;
    private final boolean tellsAll;
    private final CommandRun command;

    private volatile @Nullable Communicator world;
    private volatile @Nullable Replication replication;

    /**
     * @param standardInput read at rank 0, if that is the source
     * @param tellsAll whether the output wants to hear of the job's failure from every node, or only from rank 0 and from
     *     those that can say more
     */
    public ReplicateProcess(
            ReplicateRequest request,
            Supplier<ReadableByteChannel> standardInput,
            NodeOutput output,
            boolean tellsAll) {
        this.request = request;
        this.standardInput = standardInput;
        this.output = output;
        this.tellsAll = tellsAll;
        this.command = new CommandRun(output);
    }

    /** Takes part in the job and returns the exit code. */
    public int run(JobOptions options) {
        request.losses().check(options.size());
        request.source().check(options.size());
        if (options.rank() == 0) {
            request.removeEarlierReport();
        }
        command.onSignal(this::interrupted);
        command.atDeadline(request.deadline(), this::deadlinePassed);
        return command.run(
                () -> join(options),
                failure -> tellsAll
                        || options.rank() == 0
                        || world == null
                        || failure.ranks().contains(options.rank())
                        || failure.ranks().contains(0));
    }

    private int join(JobOptions options) {
        try (Robber robber = enter(options)) {
            Communicator joined = robber.world();
            world = joined;
            if (joined.rank() == 0) {
                output.joined(joined.size());
            }
            Replication work = new Replication(request, standardInput, joined, output, command.unfinished());
            replication = work;
            return takePart(work, joined);
        }
    }

    private Robber enter(JobOptions options) {
        try {
            return Robber.join(TimeLimit.limit(options, request.deadline()), output::listening);
        } catch (RobberException e) {
            throw options.rank() == 0
                    ? ReportDelivery.unbegun(
                            request, output, options.size(), request.report().absent(), e)
                    : e;
        }
    }

    /**
     * Launchers may end a whole job when one of its processes fails: a node that had to give up stays until the others are
     * through.
     */
    private int takePart(Replication work, Communicator joined) {
        try {
            return work.run();
        } catch (RobberException e) {
            if (joined.rank() != 0 && e.ranks().contains(joined.rank()) && e.reason() != Reason.INTERRUPTED) {
                command.unfinished().close();
                OptionalInt end = joined.control().awaitConclusion();
                LOG.debug("the job has ended: {}", end);
            }
            throw e;
        }
    }

    /** Ends this process, because the process that started it has ended and can stop it no more. */
    public void abandoned() {
        command.end(Reason.INTERRUPTED);
    }

    private boolean interrupted() {
        Communicator joined = world;
        if (joined == null) {
            return false;
        }
        RobberException stop = new RobberException(
                Reason.INTERRUPTED,
                List.of(joined.rank()),
                phase(),
                FailureText.node(joined, joined.rank()) + " was told to stop during '" + phase()
                        + "'; run the same command again");
        if (joined.rank() == 0) {
            joined.fail(stop);
        } else {
            joined.control().giveUp(stop);
        }
        return true;
    }

    private void deadlinePassed(TimeLimit deadline) {
        Communicator joined = world;
        Replication work = joined != null && joined.rank() == 0 ? replication : null;
        if (work != null) {
            work.deadlinePassed(deadline.length());
        }
        if (!command.hasEnded(COMMIT_GRACE) && work != null) {
            work.overdue(deadline.length());
        }
        command.endAfter(
                work == null ? GRACE : ROOT_GRACE,
                () -> "the deadline has passed during '" + phase() + "'"
                        + (joined == null
                                ? ""
                                : ", and " + FailureText.node(joined, joined.rank())
                                        + " did not end by itself: something hangs, such as a disk, there or at"
                                        + " rank 0"));
    }

    private String phase() {
        Replication work = replication;
        return work == null ? "join" : work.phase();
    }
}
