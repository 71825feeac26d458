package org.robber.cli.join;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.node.CommandRun;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.JoinReport;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.JoinRequest;
import org.robber.cli.request.TimeLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a node that joins a running job. However it ends, a partial copy stays hidden, for the next run to resume.
 */
public final class JoinProcess {
    private static final Logger LOG = LoggerFactory.getLogger(JoinProcess.class);

    private final JoinRequest request;
    private final CommandRun command;
    private final NodeOutput output;
    private volatile @Nullable Joiner joined;
    private @Nullable RobberException late;
    private volatile @Nullable JoinReplication replication;

    public JoinProcess(JoinRequest request, NodeOutput output) {
        this.request = request;
        this.output = output;
        this.command = new CommandRun(output);
    }

    /** Takes part in the job and returns the exit code. */
    public int run(JobOptions options) {
        Thread main = Thread.currentThread();
        command.onSignal(this::interrupted);
        command.stopAtDeadline(request.deadline(), "join", failure -> giveUp(failure, main));
        return command.run(() -> takePart(options), failure -> true);
    }

    private int takePart(JobOptions options) {
        try (Joiner joiner = join(options)) {
            JoinReplication work = new JoinReplication(request, joiner, output, command.unfinished());
            replication = work;
            LOG.info("{} has joined", work.node());
            return work.run();
        }
    }

    /** Waits until the job lets this node in, or until the deadline. */
    private Joiner join(JobOptions options) {
        try {
            ReportFile.prepare(request.reportFile(), options.rank());
            Joiner joiner = Joiner.join(TimeLimit.limit(options, request.deadline()));
            synchronized (this) {
                joined = joiner;
                if (late != null) {
                    joiner.giveUp(late);
                }
            }
            return joiner;
        } catch (RobberException e) {
            RobberException failure = failure(e);
            throw FailureText.delivered(
                    failure,
                    output,
                    request.format(),
                    request.reportFile(),
                    options.rank(),
                    JoinReport.notLetIn(failure));
        }
    }

    /** The deadline explains what went wrong because of it. */
    private synchronized RobberException failure(RobberException failure) {
        return late == null ? failure : late;
    }

    /** The deadline has passed; a thread that waits to be let in is interrupted. */
    private synchronized void giveUp(RobberException failure, Thread main) {
        late = failure;
        if (joined == null) {
            main.interrupt();
        } else {
            joined.giveUp(failure);
        }
    }

    private boolean interrupted() {
        Joiner joiner = joined;
        JoinReplication work = replication;
        if (joiner == null || work == null) {
            return false;
        }
        joiner.giveUp(new RobberException(
                Reason.INTERRUPTED,
                List.of(joiner.rank()),
                work.phase(),
                work.node() + " was told to stop during '" + work.phase() + "'; run the same command again"));
        return true;
    }
}
