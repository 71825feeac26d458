package org.robber.cli.replicate;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as one node of a job: joins, takes part, leaves. Whatever ends it, a signal, the deadline, or the end of the
 * process that started it, nothing half-written stays behind.
 */
public final class ReplicateProcess {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicateProcess.class);

    /** How long the main thread may take to leave by itself when this process is told to end. */
    private static final long LEAVE_MILLIS = 1500;

    /** How long after the deadline nodes may take to put their copies in place and to say so. */
    private static final long SHOWING_MILLIS = 3000;

    /** How long after that rank 0 ends by force, should the job not have ended by then. */
    private static final long ROOT_OVERDUE_MILLIS = 2000;

    /** The same of all others: rank 0 may have begun a little later, and only it can say how the job ends. */
    private static final long OVERDUE_MILLIS = 5000;

    /** How long the end by force, or by a signal, takes care of what is half-written. */
    private static final long CLOSE_MILLIS = 2000;

    private final ReplicateRequest request;
    private final NodeOutput output;
    private final boolean tellsAll;
    private final UnfinishedCopy unfinished = new UnfinishedCopy();
    private final CountDownLatch left = new CountDownLatch(1);

    private volatile @Nullable Communicator world;
    private volatile @Nullable Replication replication;

    /**
     * @param tellsAll whether the output wants to hear of the job's failure from every node, or only from rank 0 and from
     *     those that can say more
     */
    public ReplicateProcess(ReplicateRequest request, NodeOutput output, boolean tellsAll) {
        this.request = request;
        this.output = output;
        this.tellsAll = tellsAll;
    }

    /** Takes part in the job and returns the exit code. */
    public int run(JobOptions options) {
        request.losses().check(options.size());
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "interrupted"));
        TimeLimit deadline = request.deadline();
        if (deadline != null) {
            Thread watch = new Thread(() -> watch(deadline), "deadline");
            watch.setDaemon(true);
            watch.start();
        }
        try (Robber robber = Robber.join(TimeLimit.limit(options, deadline), output::listening)) {
            Communicator joined = robber.world();
            world = joined;
            Replication work = new Replication(request, joined, output, unfinished);
            replication = work;
            return takePart(work, joined);
        } catch (RobberException e) {
            LOG.debug("failed", e);
            if (tellsAll
                    || options.rank() == 0
                    || world == null
                    || e.ranks().contains(options.rank())
                    || e.ranks().contains(0)) {
                output.error(e.reason().exitCode(), FailureText.of(e));
            }
            return e.reason().exitCode();
        } finally {
            unfinished.close();
            left.countDown();
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
                unfinished.close();
                OptionalInt end = joined.control().awaitConclusion();
                LOG.debug("the job has ended: {}", end);
            }
            throw e;
        }
    }

    /** The process that started this one has ended: no other process would stop this one. */
    public void abandoned() {
        if (left.getCount() > 0) {
            unfinished.closeWithin(CLOSE_MILLIS);
        }
        Runtime.getRuntime().halt(Reason.INTERRUPTED.exitCode());
    }

    /** Run when this process is told to end by a signal, and idly at every other end. */
    private void interrupted() {
        if (left.getCount() == 0) {
            return;
        }
        Communicator joined = world;
        if (joined != null) {
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
        }
        awaitLeft(LEAVE_MILLIS);
        unfinished.closeWithin(CLOSE_MILLIS);
    }

    private void watch(TimeLimit deadline) {
        if (awaitLeft(deadline.left().toMillis())) {
            return;
        }
        Communicator joined = world;
        Replication work = joined != null && joined.rank() == 0 ? replication : null;
        if (work != null) {
            work.deadlinePassed(deadline.length());
        }
        if (!awaitLeft(SHOWING_MILLIS) && work != null) {
            work.overdue(deadline.length());
        }
        if (!awaitLeft(work == null ? OVERDUE_MILLIS : ROOT_OVERDUE_MILLIS)) {
            output.error(
                    Reason.DEADLINE.exitCode(),
                    "the deadline has passed during '" + phase() + "'"
                            + (joined == null
                                    ? ""
                                    : ", and " + FailureText.node(joined, joined.rank())
                                            + " did not end by itself: something hangs, such as a disk, there or at"
                                            + " rank 0"));
            unfinished.closeWithin(CLOSE_MILLIS);
            Runtime.getRuntime().halt(Reason.DEADLINE.exitCode());
        }
    }

    private boolean awaitLeft(long millis) {
        try {
            return left.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String phase() {
        Replication work = replication;
        return work == null ? "join" : work.phase();
    }
}
