package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.robber.JobControl;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.progress.ProgressBoard;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.RankZeroControl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Control of a job over the control connections. */
final class NettyJobControl implements JobControl {
    private static final Logger LOG = LoggerFactory.getLogger(NettyJobControl.class);
    private static final int ABSENT_LIMIT_SECONDS = 1;
    private static final int MAX_PAYLOAD_BYTES = 1 << 20;

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
    public String clusterOrigin() {
        return context.controlPlane()
                .rankZero()
                .map(RankZeroControl::clusterOrigin)
                .orElse("");
    }

    @Override
    public void barrier() {
        meet("barrier of all that are left", new byte[0], payloads -> new byte[0]);
    }

    @Override
    public List<byte[]> gather(byte[] payload) {
        checkArgument(payload.length <= MAX_PAYLOAD_BYTES, "%s bytes are too many to gather", payload.length);
        List<byte[]> gathered = new ArrayList<>();
        meet("gather at rank 0", payload, payloads -> {
            gathered.addAll(payloads);
            return new byte[0];
        });
        return gathered;
    }

    @Override
    public byte[] broadcast(byte[] payload) {
        checkArgument(payload.length <= MAX_PAYLOAD_BYTES, "%s bytes are too many to broadcast", payload.length);
        return meet("broadcast from rank 0", context.rank() == 0 ? payload : new byte[0], payloads -> payloads.get(0));
    }

    @Override
    public byte[] agree(byte[] payload, Function<List<byte[]>, byte[]> decision) {
        checkArgument(payload.length <= MAX_PAYLOAD_BYTES, "%s bytes are too many to agree", payload.length);
        return meet("agreement at rank 0", payload, decision);
    }

    private byte[] meet(String call, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        return waiting.until(context.controlPlane().begin(call).arrive(payload, reply), call);
    }

    @Override
    public void lastBarrier(Runnable released) {
        meet("last barrier", new byte[0], payloads -> {
            goOnWithoutLost();
            released.run();
            return new byte[0];
        });
    }

    @Override
    public void endProgram() {
        meet(CrossedCalls.END, new byte[0], payloads -> new byte[0]);
    }

    @Override
    public void onFailure(Consumer<RobberException> listener) {
        context.controlPlane().onFailure(listener);
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
    public void refuseJoiners(String why) {
        rankZero().ifPresent(control -> control.joiners().refuse(why));
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
    public long bytesRelayed() {
        return context.relays().carriedBytes();
    }

    @Override
    public long bytesDone(int rank) {
        return progress.bytesDone(rank);
    }

    @Override
    public Map<Integer, Long> bytesReceived(int rank) {
        return progress.bytesReceived(rank);
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
