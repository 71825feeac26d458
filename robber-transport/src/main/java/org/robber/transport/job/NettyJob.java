package org.robber.transport.job;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.meeting.Group;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.progress.CopyWatch;
import org.robber.transport.job.progress.ProgressBoard;
import org.robber.transport.job.progress.ProgressReports;
import org.robber.transport.mesh.Meetings;
import org.robber.transport.rendezvous.BlockingCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node knows of its job, beside its place in it: who is lost, what was published, and whether the job has failed.
 * Thread-safe.
 */
final class NettyJob {
    private static final Logger LOG = LoggerFactory.getLogger(NettyJob.class);

    private final JobContext context;
    private final BlockingCalls waiting;
    private final BlockingCalls callWaiting;
    private final ProgressBoard progress;
    private final NettyJobControl control;
    private final CrossedCalls crossed;
    private final Map<PublicationKey, CompletableFuture<byte[]>> publications = new ConcurrentHashMap<>();
    private final Map<Integer, RobberException> lost = new ConcurrentHashMap<>();
    private final List<JobListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean communicating = new AtomicBoolean();
    private volatile @Nullable RobberException failure;
    private volatile @Nullable RobberException left;

    NettyJob(JobContext context) {
        this.context = context;
        this.waiting = new BlockingCalls(context.rank(), context.controlPlane()::giveUp);
        this.callWaiting =
                new BlockingCalls(context.rank(), this::giveUpUnlessSurvivable).polling(context.mesh()::poll);
        this.progress = new ProgressBoard(context, ProgressReports.watchClock());
        this.control = new NettyJobControl(context, waiting, progress);
        this.crossed = new CrossedCalls(context);
        context.controlPlane().onPublish(this::published);
        context.controlPlane().onFailure(first -> end(first, JobListener::failed));
        context.controlPlane().onLost(this::lost);
        context.controlPlane().onJoined((rank, joiner) -> {
            context.knownNodes().add(joiner);
            context.listener().welcome(rank);
        });
    }

    /** Who publishes, and what about. What a node publishes in the place of another one has no effect. */
    private record PublicationKey(int from, String topic) {}

    private void published(int from, String topic, byte[] payload) {
        if (topic.equals(Publish.DISTRUST)) {
            String text = new String(payload, StandardCharsets.UTF_8);
            int blank = text.indexOf(' ');
            progress.distrusted(Integer.parseInt(text.substring(0, blank)), text.substring(blank + 1));
        } else if (topic.equals(Publish.STARVED)) {
            CopyWatch.Starved node = CopyWatch.Starved.decode(from, payload);
            if (node != null) {
                progress.starved(node);
            }
        } else if (topic.equals(Publish.HANG)) {
            progress.hangs(from);
        } else if (topic.equals(CrossedCalls.TOPIC)) {
            crossed.told(from, payload);
        } else {
            publication(from, topic).complete(payload);
        }
    }

    private void lost(int rank, RobberException why) {
        lost.put(rank, why);
        progress.lose(rank);
        listeners.forEach(listener -> listener.lost(rank, why));
    }

    /** Tells the listener of losses and of the end, also of earlier ones. */
    void listen(JobListener listener) {
        listeners.add(listener);
        lost.forEach(listener::lost);
        RobberException leave = left;
        RobberException end = failure;
        if (leave != null) {
            listener.left(leave);
        } else if (end != null) {
            listener.failed(end);
        }
    }

    /** Tells this one, which was given to {@link #listen}, no more. */
    void forget(JobListener listener) {
        listeners.remove(listener);
    }

    /** This node leaves the job. */
    void leave() {
        RobberException why = new RobberException(
                Reason.USAGE, List.of(rank()), "leave", context.describe(rank()) + " has left the job itself");
        left = why;
        end(why, JobListener::left);
    }

    private void end(RobberException why, BiConsumer<JobListener, RobberException> event) {
        failure = why;
        publications.values().forEach(each -> each.completeExceptionally(why));
        for (JobListener listener : listeners) {
            try {
                event.accept(listener, why);
            } catch (RuntimeException e) {
                // The others have to hear of it.
                LOG.error("a listener could not handle the end of the job: {}", why.getMessage(), e);
            }
        }
    }

    /** Why the job has failed, or that this node has left it; null if neither is so. */
    @Nullable
    RobberException failure() {
        return failure;
    }

    /** The publication of this node and topic, once there is one; fails with the job. */
    CompletableFuture<byte[]> publication(int from, String topic) {
        CompletableFuture<byte[]> publication =
                publications.computeIfAbsent(new PublicationKey(from, topic), key -> new CompletableFuture<>());
        RobberException failed = failure;
        if (failed != null) {
            publication.completeExceptionally(failed);
        }
        return publication;
    }

    /** Forgets a publication that everyone interested has seen. */
    void forgetPublication(int from, String topic) {
        publications.remove(new PublicationKey(from, topic));
    }

    JobContext context() {
        return context;
    }

    ProgressBoard progress() {
        return progress;
    }

    BlockingCalls waiting() {
        return waiting;
    }

    /** Waits for calls of communicators, after whose failure this node can make others. */
    BlockingCalls callWaiting() {
        return callWaiting;
    }

    /** A call that is interrupted or late goes on in the buffers of its caller, and others wait for this node in it. */
    private void giveUpUnlessSurvivable(RobberException failure) {
        Reason reason = failure.reason();
        if (reason == Reason.INTERRUPTED || reason == Reason.DEADLINE || reason == Reason.INTERNAL) {
            context.controlPlane().giveUp(failure);
        }
    }

    /** Calls of this group are made in one order with calls that go through rank 0. */
    void watchCalls(Group group) {
        crossed.watch(group);
    }

    NettyJobControl control() {
        return control;
    }

    int rank() {
        return context.rank();
    }

    int size() {
        return context.topology().size();
    }

    /** The nodes that the job goes on without, by rank, and why. */
    Map<Integer, RobberException> lost() {
        return Map.copyOf(lost);
    }

    /** For a meeting that begins now. From the first meeting on, calls name the nodes that are lost; so a loss does not end the job. */
    Meetings meetings() {
        if (!communicating.getAndSet(true)) {
            control.goOnWithoutLost();
        }
        return context.mesh();
    }
}
