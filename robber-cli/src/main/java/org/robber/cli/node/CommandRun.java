package org.robber.cli.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.request.TimeLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run of a command in this process until its end, its deadline or a signal. A command that hangs is ended by force. */
public final class CommandRun {
    private static final Logger LOG = LoggerFactory.getLogger(CommandRun.class);

    /** How long the command may take to end by itself after a signal. */
    private static final Duration SIGNAL_GRACE = Duration.ofMillis(1500);

    /** How long the command may take to end by itself after its deadline. */
    private static final Duration DEADLINE_GRACE = Duration.ofSeconds(5);

    /** How long an end by force or by a signal may take to close the unfinished copy. */
    private static final long CLOSE_MILLIS = 2000;

    private final NodeOutput output;
    private final UnfinishedCopy unfinished = new UnfinishedCopy();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** @param output told of the command's failure */
    public CommandRun(NodeOutput output) {
        this.output = output;
    }

    /** The copy that the command writes, closed at every end of the command. */
    public UnfinishedCopy unfinished() {
        return unfinished;
    }

    /**
     * Runs the command and returns its exit code.
     *
     * @param shows whether this process shows a failure of the command
     */
    public int run(IntSupplier command, Predicate<RobberException> shows) {
        try {
            return command.getAsInt();
        } catch (RobberException e) {
            return failed(e, shows.test(e) ? output : null);
        } finally {
            unfinished.close();
            ended.countDown();
        }
    }

    /**
     * Ends a command whose result has been delivered; returns its exit code.
     *
     * @param output shows the failure; null if another process does
     */
    public static int failed(RobberException failure, @Nullable NodeOutput output) {
        LOG.debug("failed", failure);
        int exitCode = failure.reason().exitCode();
        if (output != null) {
            output.error(exitCode, FailureText.of(failure));
        }
        return exitCode;
    }

    /**
     * Ends the command when a signal tells this process to end.
     *
     * @param leave tells the command to end; returns whether it can end by itself
     */
    public void onSignal(BooleanSupplier leave) {
        Runnable hook = () -> {
            if (ended.getCount() > 0) {
                boolean unused = leave.getAsBoolean() && hasEnded(SIGNAL_GRACE);
                unfinished.closeWithin(CLOSE_MILLIS);
            }
        };
        Runtime.getRuntime().addShutdownHook(new Thread(hook, "interrupted"));
    }

    /** Runs an action at the deadline, if there is one, on a thread of its own; not if the command has ended before. */
    public void atDeadline(@Nullable TimeLimit limit, Consumer<TimeLimit> action) {
        if (limit == null) {
            return;
        }
        Runnable watch = () -> {
            if (!hasEnded(limit.left())) {
                action.accept(limit);
            }
        };
        Thread thread = new Thread(watch, "deadline");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Ends the command at its deadline, if there is one.
     *
     * @param command its name
     * @param stop given the failure: it must end all waits of the command
     */
    public void stopAtDeadline(@Nullable TimeLimit limit, String command, Consumer<RobberException> stop) {
        atDeadline(limit, passed -> {
            RobberException failure = passed.failure(command);
            stop.accept(failure);
            endAfter(DEADLINE_GRACE, () -> FailureText.of(failure) + "; a disk of this node may be hanging");
        });
    }

    /** Ends this process by force, because of its deadline, if the command has not ended after this time. */
    public void endAfter(Duration grace, Supplier<String> message) {
        if (!hasEnded(grace)) {
            output.error(Reason.DEADLINE.exitCode(), message.get());
            end(Reason.DEADLINE);
        }
    }

    /** Ends this process by force. */
    public void end(Reason reason) {
        if (ended.getCount() > 0) {
            unfinished.closeWithin(CLOSE_MILLIS);
        }
        Runtime.getRuntime().halt(reason.exitCode());
    }

    /** Waits at most this long; returns whether the command has ended. */
    public boolean hasEnded(Duration wait) {
        try {
            return ended.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
