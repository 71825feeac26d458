package org.robber.cli.replicate;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a node that joins a running job. Whatever ends it: a partial copy stays hidden, for the next run to resume.
 */
public final class JoinProcess {
    private static final Logger LOG = LoggerFactory.getLogger(JoinProcess.class);

    /** How long the main thread may take to leave by itself when this process is told to end. */
    private static final long LEAVE_MILLIS = 1500;

    private final JoinRequest request;
    private final NodeOutput output;
    private final UnfinishedCopy unfinished = new UnfinishedCopy();
    private final CountDownLatch left = new CountDownLatch(1);
    private volatile @Nullable Joiner joined;
    private @Nullable RobberException late;
    private volatile @Nullable JoinReplication replication;

    public JoinProcess(JoinRequest request, NodeOutput output) {
        this.request = request;
        this.output = output;
    }

    /** Takes part in the job and returns the exit code. */
    @SuppressWarnings("try") // watches until it is closed
    public int run(JobOptions options) {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "interrupted"));
        try (DeadlineWatch watch =
                        DeadlineWatch.over(request.deadline(), "join", failure -> giveUp(failure, main), output);
                Joiner joiner = join(options)) {
            JoinReplication work = new JoinReplication(request, joiner, output, unfinished);
            replication = work;
            LOG.info("{} has joined", work.node());
            return work.run();
        } catch (RobberException e) {
            LOG.debug("failed", e);
            output.error(e.reason().exitCode(), FailureText.of(e));
            return e.reason().exitCode();
        } finally {
            unfinished.close();
            left.countDown();
        }
    }

    /** Waits until the job lets this node in, or until the deadline. */
    private Joiner join(JobOptions options) {
        try {
            Joiner joiner = Joiner.join(TimeLimit.limit(options, request.deadline()));
            synchronized (this) {
                joined = joiner;
                if (late != null) {
                    joiner.giveUp(late);
                }
            }
            return joiner;
        } catch (RobberException e) {
            synchronized (this) {
                throw late == null ? e : late;
            }
        }
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

    /** Run when this process is told to end by a signal, and idly at every other end. */
    private void interrupted() {
        Joiner joiner = joined;
        JoinReplication work = replication;
        if (left.getCount() == 0 || joiner == null || work == null) {
            return;
        }
        joiner.giveUp(new RobberException(
                Reason.INTERRUPTED,
                List.of(joiner.rank()),
                work.phase(),
                work.node() + " was told to stop during '" + work.phase() + "'; run the same command again"));
        try {
            boolean unused = left.await(LEAVE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        unfinished.close();
    }
}
