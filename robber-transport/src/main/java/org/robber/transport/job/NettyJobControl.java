package org.robber.transport.job;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.robber.JobControl;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.rendezvous.JoinDesk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Control of a job over the control connections. */
final class NettyJobControl implements JobControl {
    private static final Logger LOG = LoggerFactory.getLogger(NettyJobControl.class);
    private static final int ABSENT_LIMIT_SECONDS = 1;

    private final JobMeans means;
    private final Waiting waiting;
    private final ProgressBoard progress;
    private volatile byte[] joinedDigest = {};

    NettyJobControl(JobMeans means, Waiting waiting, ProgressBoard progress) {
        this.means = means;
        this.waiting = waiting;
        this.progress = progress;
    }

    /** The digest over what joiners have got, if there was a multicast that they could join. */
    void joinable(byte[] digestOfAll) {
        joinedDigest = digestOfAll;
    }

    @Override
    public void lastBarrier(Runnable released) {
        String call = "last barrier";
        waiting.until(
                means.assembly().begin(call).arrive(new byte[0], payloads -> {
                    means.assembly().goOnWithoutLost();
                    released.run();
                    return new byte[0];
                }),
                call);
    }

    @Override
    public void goOnWithoutLost() {
        means.assembly().goOnWithoutLost();
    }

    @Override
    public void expel(List<Integer> ranks, RobberException why) {
        ranks.forEach(rank -> means.assembly().expel(rank, why));
    }

    @Override
    public List<Integer> absent() {
        try {
            return means.assembly().absent().get(ABSENT_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("nobody tells who is absent", e);
            return List.of();
        }
    }

    @Override
    public List<JoinedNode> releaseJoiners() {
        return waiting.until(means.assembly().joinDesk().release(joinedDigest), "release joiners");
    }

    @Override
    public boolean dropJoiners(RobberException why) {
        JoinDesk desk = means.assembly().joinDesk();
        boolean waited = desk.isWaiting();
        desk.drop(why);
        return waited;
    }

    @Override
    public long bytesDone(int rank) {
        return progress.bytesDone(rank);
    }

    @Override
    public void giveUp(RobberException failure) {
        means.assembly().giveUp(failure);
    }

    @Override
    public void conclude(int exitCode) {
        means.assembly().conclude(exitCode);
    }

    @Override
    public OptionalInt awaitConclusion() {
        try {
            return OptionalInt.of(means.assembly().conclusion().get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            LOG.debug("nobody tells how the job ended", e);
            return OptionalInt.empty();
        }
    }

    @Override
    public void onProgress(Consumer<JobProgress> listener) {
        progress.listen(listener);
    }
}
