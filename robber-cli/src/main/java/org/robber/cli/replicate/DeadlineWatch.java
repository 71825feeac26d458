package org.robber.cli.replicate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Ends a command at its deadline, by force if it hangs. Closed when the command has ended. */
final class DeadlineWatch implements AutoCloseable {

    /** How long after the deadline the command may take to end by itself. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final CountDownLatch ended = new CountDownLatch(1);

    private DeadlineWatch() {}

    /**
     * Begins to watch.
     *
     * @param limit or null for none
     * @param command as people know it
     * @param stop given the failure when the deadline has passed: it must end all waits of the command
     * @param output told of the failure before the process is ended by force
     */
    static DeadlineWatch over(
            @Nullable TimeLimit limit, String command, Consumer<RobberException> stop, NodeOutput output) {
        DeadlineWatch watch = new DeadlineWatch();
        if (limit != null) {
            Thread thread = new Thread(() -> watch.run(limit, command, stop, output), "deadline");
            thread.setDaemon(true);
            thread.start();
        }
        return watch;
    }

    /** The failure of a command whose deadline has passed. */
    static RobberException failure(TimeLimit limit, String command) {
        return new RobberException(
                Reason.DEADLINE,
                List.of(),
                command,
                "'" + command + "' did not end in " + limit.length().toMillis() / 1e3
                        + " s: run it again with a longer --deadline");
    }

    private void run(TimeLimit limit, String command, Consumer<RobberException> stop, NodeOutput output) {
        if (hasEnded(limit.left())) {
            return;
        }
        RobberException failure = failure(limit, command);
        stop.accept(failure);
        if (!hasEnded(GRACE)) {
            output.error(Reason.DEADLINE.exitCode(), FailureText.of(failure) + "; a disk of this node may be hanging");
            Runtime.getRuntime().halt(Reason.DEADLINE.exitCode());
        }
    }

    private boolean hasEnded(Duration wait) {
        try {
            return ended.await(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
