package org.robber.transport.rankzero;

import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Arrive;
import org.robber.transport.control.ControlMessage.Call;
import org.robber.transport.control.ControlMessage.CallBack;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
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

    private final EventLoop loop;
    private final Roster roster;
    private final String clusterOrigin;
    private final MemberLinks members;
    private final JoinerRegistry joiners;
    private final ControlClient own;
    private final CallMatcher calls;
    private final String[] phases;
    /** Those that have left in peace. */
    private final BitSet left = new BitSet();

    private volatile @Nullable BiConsumer<Integer, Progress> progressListener;
    private volatile boolean toleratesLosses;

    /** Why the first lost node was lost; null while none is. */
    private @Nullable RobberException firstLoss;

    private boolean failed;

    /**
     * @param clusterOrigin how the clusters of the roster were found, for people
     * @param links the connections of all others, with their ranks
     * @param joiners nodes that join later
     * @param stopListening run when all others have left
     */
    ControlServer(
            EventLoop loop,
            Roster roster,
            String clusterOrigin,
            Map<ControlLink, Integer> links,
            JoinerRegistry joiners,
            Runnable stopListening) {
        this.loop = loop;
        this.roster = roster;
        this.clusterOrigin = clusterOrigin;
        this.members = new MemberLinks(links, stopListening);
        this.joiners = joiners;
        this.own = new ControlClient(0, roster, this, this, loop);
        this.calls = new CallMatcher(roster);
        this.phases = new String[roster.members().size()];
        Arrays.fill(phases, ControlFailures.JOB);
    }

    /** Rank 0's own view of the control plane. */
    ControlClient own() {
        return own;
    }

    /** Sends the roster to all other nodes, and handles their messages from now on. */
    void begin(Roster forOthers) {
        joiners.begin(roster, forOthers, this::broadcast, this::progress, this::callBack);
        members.all().forEach(link -> link.handTo(this, ControlType.FROM_MEMBER));
        members.send(forOthers);
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
        toleratesLosses = true;
    }

    @Override
    public String clusterOrigin() {
        return clusterOrigin;
    }

    @Override
    public Joiners joiners() {
        return joiners;
    }

    @Override
    public void conclude(int exitCode) {
        boolean unused = Sockets.runOn(loop, () -> send(Publish.conclusion(exitCode)));
    }

    @Override
    public void expel(int rank, RobberException why) {
        Sockets.runOn(loop, () -> {
            if (members.contains(rank) && !failed) {
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
        Integer rank = members.rank(link);
        if (rank == null) {
            return;
        }
        if (message instanceof ControlMessage.Goodbye) {
            link.close("left");
            left.set(rank);
            received(rank, message);
            members.remove(link);
        } else {
            received(rank, message);
        }
    }

    private void received(int rank, ControlMessage message) {
        if (failed) {
            return;
        }
        try {
            if (message instanceof Call call) {
                if (rank == 0 && firstLoss != null && !toleratesLosses) {
                    throw firstLoss;
                }
                phases[rank] = call.call();
                calls.call(rank, call.number(), call.call());
            } else if (message instanceof Arrive arrive) {
                if (calls.arrive(rank, arrive.number(), arrive.payload())) {
                    everyoneArrived(arrive.number());
                }
            } else if (message instanceof Publish publish) {
                // The sender in the message is ignored: a node publishes only in its own name.
                publish(new Publish(rank, publish.topic(), publish.payload()));
            } else if (message instanceof Progress progress) {
                phases[rank] = progress.phase();
                progress(rank, progress);
            } else if (message instanceof Fail fail) {
                fail(ControlFailures.fromMessage(fail));
            } else if (message instanceof Lost lost) {
                // The rank in the message is ignored: a node reports only itself.
                lost(rank, ControlFailures.fromLost(new Lost(rank, lost.code(), lost.phase(), lost.text())));
            } else if (message instanceof CallBack call) {
                callBack(rank, call);
            } else if (message instanceof ControlMessage.Goodbye) {
                calls.leave(rank);
            }
        } catch (RobberException e) {
            fail(e);
        }
    }

    /** Passes on the request of a node to be connected to. The rank of the sender in the message is ignored. */
    private void callBack(int from, CallBack call) {
        CallBack checked = new CallBack(from, call.to(), call.token());
        // A node that has left connects to nobody. So the one that asks gets its request back.
        int receiver = left.get(call.to()) ? from : call.to();
        if (receiver == 0) {
            loop.execute(() -> own.received(checked));
        } else {
            members.send(receiver, checked);
        }
    }

    /** A node reports its progress. A listener that throws does not end the job. */
    private void progress(int rank, Progress progress) {
        BiConsumer<Integer, Progress> listener = progressListener;
        if (listener != null) {
            try {
                listener.accept(rank, progress);
            } catch (RuntimeException e) {
                LOG.error("progress could not be shown", e);
            }
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

    private void publish(Publish publication) {
        if (publication.isForRankZero()) {
            loop.execute(() -> own.received(publication));
        } else {
            broadcast(publication);
        }
    }

    private void broadcast(ControlMessage message) {
        members.send(message);
        if (message instanceof Lost lost) {
            joiners.memberLost(lost);
        } else if (message instanceof Fail fail) {
            joiners.jobFailed(fail);
        }
        loop.execute(() -> own.received(message));
    }

    /**
     * A node has left without a goodbye, was expelled, or has given up. Without tolerance this fails the job as soon as rank 0 has begun a call. Until then
     * rank 0 may begin one that tolerates losses.
     */
    private void lost(int rank, RobberException failure) {
        if (rank == 0 || (!toleratesLosses && calls.hasBegun(0))) {
            fail(failure);
            return;
        }
        LOG.warn("goes on without a node: {}", failure.getMessage());
        if (firstLoss == null) {
            firstLoss = failure;
        }
        broadcast(ControlFailures.toLost(rank, failure));
        members.lose(rank);
        try {
            calls.lose(rank).forEach(this::everyoneArrived);
        } catch (RobberException e) {
            fail(e);
        }
    }

    private void fail(RobberException failure) {
        if (!failed) {
            LOG.debug("the job fails", failure);
            failed = true;
            broadcast(ControlFailures.toMessage(failure, roster.members().size()));
        }
    }

    /** A node that was suspended and goes on later would take rank 0 for lost, so it is told first. Its connection ends at the next beat. */
    @Override
    public void silent(ControlLink link, String why) {
        if (failed || members.rank(link) == null) {
            link.close(why);
        } else {
            lost(link, why);
        }
    }

    @Override
    public void ended(ControlLink link, String why) {
        lost(link, why);
        members.remove(link);
    }

    private void lost(ControlLink link, String why) {
        Integer rank = members.rank(link);
        if (rank != null && !failed) {
            lost(rank, ControlFailures.lost(rank, ControlFailures.who(rank, roster), phases[rank], why));
        }
    }

    @Override
    public CompletableFuture<Void> leave(boolean inPeace) {
        progressListener = null;
        if (inPeace) {
            left.set(0);
            received(0, new ControlMessage.Goodbye());
        }
        return members.leave(inPeace, loop);
    }
}
