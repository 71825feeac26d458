package org.robber.transport.rendezvous;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.CallBack;
import org.robber.transport.control.ControlMessage.Joined;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.rendezvous.ControlPlane.PublicationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages from rank 0 that answer no call: publications, losses, nodes that join or want to be connected to, and the end of the job. Each kind but the last has one
 * listener, the last that was set. An exception of a listener fails the job. Belongs to one event loop.
 */
final class ControlEvents {
    private static final Logger LOG = LoggerFactory.getLogger(ControlEvents.class);

    /** Publications that came before there was a listener. */
    private final List<Publish> undelivered = new ArrayList<>();

    private final SortedMap<Integer, RobberException> lost = new TreeMap<>();
    private final List<Joined> joined = new ArrayList<>();
    private final CompletableFuture<Integer> conclusion = new CompletableFuture<>();
    private final int rank;
    private final Consumer<RuntimeException> unhandled;
    private @Nullable PublicationListener publishListener;
    private BiConsumer<Integer, RobberException> lossListener = (rank, why) -> {};
    private BiConsumer<Integer, Member> joinListener = (rank, member) -> {};
    /** Requests that came before there was a listener: nodes do not begin at the same moment. */
    private final List<CallBack> undeliveredCallBacks = new ArrayList<>();

    private @Nullable BiConsumer<Integer, Long> callBackListener;
    private IntConsumer leaveListener = rank -> {};
    private boolean over;

    /**
     * @param rank of this node
     * @param unhandled called with the exception of a listener
     */
    ControlEvents(int rank, Consumer<RuntimeException> unhandled) {
        this.rank = rank;
        this.unhandled = unhandled;
    }

    /** From now on no listener is called. */
    void end() {
        over = true;
    }

    void received(ControlMessage message) {
        if (message instanceof Publish publish) {
            published(publish);
        } else if (message instanceof Lost loss) {
            RobberException why = ControlFailures.fromLost(loss);
            if (lost.putIfAbsent(loss.rank(), why) == null) {
                guarded(() -> lossListener.accept(loss.rank(), why));
            }
        } else if (message instanceof Joined node) {
            joined.add(node);
            guarded(() -> joinListener.accept(node.rank(), node.member()));
        } else if (message instanceof CallBack call && call.to() == rank) {
            callBack(call);
        } else if (message instanceof CallBack own) {
            // Rank 0 sends it back.
            guarded(() -> leaveListener.accept(own.to()));
        }
    }

    void onPublish(PublicationListener listener) {
        publishListener = listener;
        List<Publish> earlier = List.copyOf(undelivered);
        undelivered.clear();
        earlier.forEach(this::published);
    }

    private void published(Publish publish) {
        PublicationListener listener = publishListener;
        if (publish.isConclusion()) {
            conclusion.complete((int) publish.payload()[0]);
        } else if (listener == null) {
            undelivered.add(publish);
        } else {
            guarded(() -> listener.published(publish.from(), publish.topic(), publish.payload()));
        }
    }

    void onLost(BiConsumer<Integer, RobberException> listener) {
        lossListener = listener;
        guarded(() -> lost.forEach(listener));
    }

    /** The nodes lost so far. */
    SortedSet<Integer> lostRanks() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(lost.keySet()));
    }

    void onJoined(BiConsumer<Integer, Member> listener) {
        joinListener = listener;
        guarded(() -> joined.forEach(one -> listener.accept(one.rank(), one.member())));
    }

    void onCallBack(BiConsumer<Integer, Long> listener) {
        callBackListener = listener;
        List<CallBack> earlier = List.copyOf(undeliveredCallBacks);
        undeliveredCallBacks.clear();
        earlier.forEach(this::callBack);
    }

    void onLeft(IntConsumer listener) {
        leaveListener = listener;
    }

    private void callBack(CallBack call) {
        BiConsumer<Integer, Long> listener = callBackListener;
        if (listener == null) {
            undeliveredCallBacks.add(call);
        } else {
            guarded(() -> listener.accept(call.from(), call.token()));
        }
    }

    /** The code with which the job ends: published by rank 0, or that of its failure. */
    CompletableFuture<Integer> conclusion() {
        return conclusion;
    }

    private void guarded(Runnable delivery) {
        if (over) {
            return;
        }
        try {
            delivery.run();
        } catch (RuntimeException e) {
            LOG.error("a publication could not be handled", e);
            unhandled.accept(e);
        }
    }
}
