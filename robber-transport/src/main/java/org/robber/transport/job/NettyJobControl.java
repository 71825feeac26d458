package org.robber.transport.job;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.robber.JobControl;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.rendezvous.RankZeroControl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Control of a job over the control connections. */
final class NettyJobControl implements JobControl {
    private static final Logger LOG = LoggerFactory.getLogger(NettyJobControl.class);
    private static final int ABSENT_LIMIT_SECONDS = 1;

    private final JobContext context;
    private final BlockingCalls waiting;
    private final ProgressBoard progress;
    private volatile byte[] joinedDigest = {};

    NettyJobControl(JobContext context, BlockingCalls waiting, ProgressBoard progress) {
        this.context = context;
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
                context.controlPlane().begin(call).arrive(new byte[0], payloads -> {
                    goOnWithoutLost();
                    released.run();
                    return new byte[0];
                }),
                call);
    }

    @Override
    public void goOnWithoutLost() {
        rankZero().ifPresent(RankZeroControl::goOnWithoutLost);
    }

    @Override
    public void expel(List<Integer> ranks, RobberException why) {
        rankZero().ifPresent(control -> ranks.forEach(rank -> control.expel(rank, why)));
    }

    @Override
    public List<Integer> absent() {
        Optional<RankZeroControl> control = rankZero();
        if (control.isEmpty()) {
            return List.of();
        }
        try {
            return control.get().absent().get(ABSENT_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("the absent nodes are not known", e);
            return List.of();
        }
    }

    @Override
    public List<JoinedNode> releaseJoiners() {
        return rankZero()
                .map(control -> waiting.until(control.joiners().release(joinedDigest), "release joiners"))
                .orElse(List.of());
    }

    @Override
    public boolean dropJoiners(RobberException why) {
        return rankZero()
                .map(control -> {
                    boolean waited = control.joiners().isWaiting();
                    control.joiners().drop(why);
                    return waited;
                })
                .orElse(false);
    }

    @Override
    public long bytesDone(int rank) {
        return progress.bytesDone(rank);
    }

    @Override
    public void giveUp(RobberException failure) {
        context.controlPlane().giveUp(failure);
    }

    @Override
    public void conclude(int exitCode) {
        rankZero().ifPresent(control -> control.conclude(exitCode));
    }

    @Override
    public OptionalInt awaitConclusion() {
        try {
            return OptionalInt.of(context.controlPlane().conclusion().get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            LOG.debug("the end of the job is not known", e);
            return OptionalInt.empty();
        }
    }

    @Override
    public void onProgress(Consumer<JobProgress> listener) {
        progress.listen(listener);
    }

    private Optional<RankZeroControl> rankZero() {
        return context.controlPlane().rankZero();
    }
}
