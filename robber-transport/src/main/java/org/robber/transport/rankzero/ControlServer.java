package org.robber.transport.rankzero;

import com.google.common.collect.BiMap;
import com.google.common.collect.HashBiMap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlFrames;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Arrive;
import org.robber.transport.control.ControlMessage.Call;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.OutgoingFrames;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.rendezvous.ControlClient;
import org.robber.transport.rendezvous.RankZeroConnection;
import org.robber.transport.rendezvous.RankZeroControl;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane at rank 0. It puts the messages of all nodes into one order, compares their collective calls, answers each call when
 * all nodes have arrived, and declares nodes lost. Belongs to one event loop, but for {@link RankZeroControl}.
 */
final class ControlServer implements ControlLinkListener, RankZeroConnection, RankZeroControl {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final long GOODBYES_LIMIT_SECONDS = 5;
    private static final long FAILED_LIMIT_SECONDS = 2;

    private final EventLoop loop;
    private final Roster roster;
    private final BiMap<ControlLink, Integer> rankOf;
    private final JoinerRegistry joiners;
    private final Runnable stopListening;
    private final ControlClient own;
    private final CallMatcher calls;
    private final String[] phases;
    private final boolean[] saidGoodbye;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /** Connections of nodes that gave up and wait for the exit code of the job. */
    private final Set<ControlLink> awaitingConclusion = new HashSet<>();

    private volatile @Nullable BiConsumer<Integer, Progress> progressListener;
    private boolean toleratesLosses;
    private boolean failed;
    private boolean leaving;

    /**
     * @param links the connections of all others, with their ranks
     * @param joiners nodes that join later
     */
    ControlServer(
            EventLoop loop,
            Roster roster,
            Map<ControlLink, Integer> links,
            JoinerRegistry joiners,
            Runnable stopListening) {
        int size = roster.members().size();
        this.loop = loop;
        this.roster = roster;
        this.rankOf = HashBiMap.create(links);
        this.joiners = joiners;
        this.stopListening = stopListening;
        this.own = new ControlClient(0, roster, this, this, loop);
        this.calls = new CallMatcher(size);
        this.phases = new String[size];
        Arrays.fill(phases, "the start");
        this.saidGoodbye = new boolean[size];
    }

    /** Rank 0's own view of the control plane. */
    ControlClient own() {
        return own;
    }

    /** Sends the roster to all other nodes, and handles their messages from now on. */
    void begin(Roster forOthers) {
        joiners.begin(roster, forOthers, this::broadcast, this::progress);
        rankOf.keySet().forEach(link -> link.handTo(this, ControlFrames.FROM_NODE));
        sendAll(rankOf.keySet(), forOthers);
    }

    @Override
    public void send(ControlMessage message) {
        // Queued like the messages of all others, so that no message is handled within another.
        loop.execute(() -> received(0, message));
    }

    @Override
    public void arrive(Arrive arrive, Function<List<byte[]>, byte[]> reply) {
        calls.reply(arrive.number(), reply);
        send(arrive);
    }

    @Override
    public void onProgress(BiConsumer<Integer, Progress> listener) {
        progressListener = listener;
    }

    @Override
    public void goOnWithoutLost() {
        if (loop.inEventLoop()) {
            // From within a reply: what it allows must be allowed before anyone hears the reply.
            toleratesLosses = true;
        } else {
            Sockets.runOn(loop, () -> toleratesLosses = true);
        }
    }

    @Override
    public void letJoin(long call, JoinableMulticast offer) {
        Sockets.runOn(loop, () -> {
            if (!failed) {
                joiners.admission().open(call, offer);
            }
        });
    }

    @Override
    public boolean isWaitingForJoiners() {
        return joiners.isWaiting();
    }

    @Override
    public void dropJoiners(RobberException why) {
        joiners.drop(why);
    }

    @Override
    public CompletableFuture<List<JoinedNode>> releaseJoiners(byte[] digestOfAll) {
        return joiners.release(digestOfAll);
    }

    @Override
    public void conclude(int exitCode) {
        own.publish(ControlClient.CONCLUSION, new byte[] {(byte) exitCode});
    }

    @Override
    public void expel(int rank, RobberException why) {
        Sockets.runOn(loop, () -> {
            if (rankOf.containsValue(rank) && !failed) {
                lost(rank, why);
            }
        });
    }

    @Override
    public CompletableFuture<List<Integer>> absent() {
        return CompletableFuture.supplyAsync(calls::absent, loop);
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        Integer rank = rankOf.get(link);
        if (rank == null) {
            return;
        }
        if (message instanceof ControlMessage.Goodbye) {
            saidGoodbye[rank] = true;
            link.close("left");
        }
        received(rank, message);
    }

    private void received(int rank, ControlMessage message) {
        if (failed) {
            return;
        }
        try {
            if (message instanceof Call call) {
                phases[rank] = call.call();
                calls.call(rank, call.number(), call.call());
            } else if (message instanceof Arrive arrive) {
                arrived(rank, arrive);
            } else if (message instanceof Publish) {
                broadcast(message);
            } else if (message instanceof Progress progress) {
                phases[rank] = progress.phase();
                progress(rank, progress);
            } else if (message instanceof Fail fail) {
                fail(fail);
            } else if (message instanceof Lost lost) {
                // The rank in the message is ignored: a node reports only itself.
                lost(rank, ControlFailures.fromLost(new Lost(rank, lost.code(), lost.phase(), lost.text())));
            } else if (message instanceof ControlMessage.Goodbye) {
                calls.leave(rank);
            }
        } catch (RobberException e) {
            fail(e);
        }
    }

    /** A node says how far it is, which the job can do without. */
    private void progress(int rank, Progress progress) {
        BiConsumer<Integer, Progress> listener = progressListener;
        if (listener != null && !leaving) {
            try {
                listener.accept(rank, progress);
            } catch (RuntimeException e) {
                LOG.error("progress could not be shown", e);
            }
        }
    }

    private void arrived(int rank, Arrive arrive) {
        if (calls.arrive(rank, arrive.number(), arrive.payload())) {
            everyoneArrived(arrive.number());
        }
    }

    /** Answers the call when the nodes that have joined it are complete, too. */
    private void everyoneArrived(long number) {
        joiners.awaitJoiners(number, () -> {
            try {
                if (!failed) {
                    broadcast(new ControlMessage.Release(number, calls.answer(number)));
                }
            } catch (RobberException e) {
                fail(e);
            }
        });
    }

    private static void sendAll(Collection<ControlLink> links, ControlMessage message) {
        ByteBuf frame = OutgoingFrames.encode(message);
        links.forEach(link -> link.send(frame.retainedDuplicate()));
        frame.release();
    }

    private void broadcast(ControlMessage message) {
        sendAll(rankOf.keySet(), message);
        if (message instanceof Lost lost) {
            joiners.memberLost(lost);
        } else if (message instanceof Fail fail) {
            joiners.jobFailed(fail);
        }
        if (message instanceof Publish || message instanceof Fail) {
            sendAll(awaitingConclusion, message);
        }
        loop.execute(() -> own.received(message));
    }

    /** A node has left without a goodbye, was expelled, or has given up. */
    private void lost(int rank, RobberException failure) {
        if (!toleratesLosses || rank == 0) {
            fail(failure);
            return;
        }
        LOG.warn("goes on without a node: {}", failure.getMessage());
        broadcast(ControlFailures.toLost(rank, failure));
        ControlLink link = rankOf.inverse().remove(rank);
        if (link != null) {
            awaitingConclusion.add(link);
        }
        try {
            calls.lose(rank).forEach(this::everyoneArrived);
        } catch (RobberException e) {
            fail(e);
        }
    }

    private void fail(RobberException failure) {
        LOG.debug("the job fails", failure);
        fail(ControlFailures.toMessage(failure, roster.members().size()));
    }

    private void fail(Fail failure) {
        if (!failed) {
            failed = true;
            broadcast(failure);
        }
    }

    @Override
    public void ended(ControlLink link, String why) {
        awaitingConclusion.remove(link);
        Integer rank = rankOf.remove(link);
        if (rank == null) {
            return;
        }
        if (!saidGoodbye[rank] && !failed) {
            lost(rank, ControlFailures.lost(rank, ControlFailures.who(rank, roster), phases[rank], why));
        }
        if (leaving && rankOf.isEmpty()) {
            end();
        }
    }

    @Override
    public CompletableFuture<Void> leave(boolean inPeace) {
        leaving = true;
        if (inPeace) {
            received(0, new ControlMessage.Goodbye());
        }
        if (rankOf.isEmpty()) {
            end();
        } else {
            // A node that knows of the failure closes its connection. If rank 0 closed first, a reset could destroy the
            // message.
            long limitSeconds = inPeace ? GOODBYES_LIMIT_SECONDS : FAILED_LIMIT_SECONDS;
            var limit = loop.schedule(this::end, limitSeconds, TimeUnit.SECONDS);
            var unused = ended.thenRun(() -> limit.cancel(false));
        }
        return ended;
    }

    private void end() {
        if (!ended.isDone()) {
            for (ControlLink link : List.copyOf(rankOf.keySet())) {
                if (!failed) {
                    link.send(new ControlMessage.Goodbye());
                }
                link.close("rank 0 leaves");
            }
            List.copyOf(awaitingConclusion).forEach(link -> link.close("rank 0 leaves"));
            joiners.end();
            stopListening.run();
            ended.complete(null);
        }
    }
}
