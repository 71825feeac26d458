package org.robber.cli.join;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.robber.JobControl.JobProgress;
import org.robber.Joiner;
import org.robber.cli.node.NodeOutput;

/** Shows how much a node that joins has received, until it is closed. */
final class JoinProgress implements AutoCloseable {

    private static final long INTERVAL_MILLIS = 100;

    private final Joiner joiner;
    private final NodeOutput output;
    private final CountDownLatch ended = new CountDownLatch(1);

    private JoinProgress(Joiner joiner, NodeOutput output) {
        this.joiner = joiner;
        this.output = output;
    }

    /** Begins to show it. */
    static JoinProgress show(Joiner joiner, NodeOutput output) {
        JoinProgress progress = new JoinProgress(joiner, output);
        Thread thread = new Thread(progress::run, "progress");
        thread.setDaemon(true);
        thread.start();
        return progress;
    }

    private void run() {
        try {
            while (!ended.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
                show(joiner.bytesDone(), 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(long bytesDone, int nodesDone) {
        output.progress(new JobProgress(bytesDone, joiner.totalBytes(), nodesDone, 1, List.of()));
    }

    /** The transfer has ended; all that came is shown. */
    @Override
    public void close() {
        ended.countDown();
        long done = joiner.bytesDone();
        show(done, done == joiner.totalBytes() ? 1 : 0);
    }
}
