package org.robber.transport.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Joined;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.Losses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages from rank 0 that answer no call: publications, losses, and nodes that join. Each kind has one
 * listener, the last that was set. An exception of a listener fails the job. Belongs to one event loop.
 */
final class ControlEvents {
    private static final Logger LOG = LoggerFactory.getLogger(ControlEvents.class);

    /** Publications that came before there was a listener. */
    private final List<Publish> undelivered = new ArrayList<>();

    private final Losses losses = new Losses();
    private final List<Joined> joined = new ArrayList<>();
    private final Consumer<RuntimeException> unhandled;
    private @Nullable BiConsumer<String, byte[]> publishListener;
    private @Nullable BiConsumer<Integer, Member> joinListener;
    private boolean over;

    /** @param unhandled told what a listener has thrown */
    ControlEvents(Consumer<RuntimeException> unhandled) {
        this.unhandled = unhandled;
    }

    /** From now on no listener is told. */
    void end() {
        over = true;
    }

    void onPublish(BiConsumer<String, byte[]> listener) {
        publishListener = listener;
        List<Publish> earlier = List.copyOf(undelivered);
        undelivered.clear();
        earlier.forEach(this::published);
    }

    void published(Publish publish) {
        BiConsumer<String, byte[]> listener = publishListener;
        if (listener == null) {
            undelivered.add(publish);
        } else {
            guarded(() -> listener.accept(publish.topic(), publish.payload()));
        }
    }

    void onLost(BiConsumer<Integer, RobberException> listener) {
        guarded(() -> losses.listen(listener));
    }

    void lost(int rank, RobberException why) {
        guarded(() -> losses.add(rank, why));
    }

    /** The nodes lost so far. */
    SortedSet<Integer> lostRanks() {
        return losses.ranks();
    }

    void onJoined(BiConsumer<Integer, Member> listener) {
        joinListener = listener;
        guarded(() -> joined.forEach(one -> listener.accept(one.rank(), one.member())));
    }

    void joined(Joined node) {
        joined.add(node);
        BiConsumer<Integer, Member> listener = joinListener;
        if (listener != null) {
            guarded(() -> listener.accept(node.rank(), node.member()));
        }
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
