package org.robber.transport.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage.Publish;

/** What has been published, kept until there is a listener for it. Not thread-safe. */
final class Publications {
    private final List<Publish> undelivered = new ArrayList<>();
    private @Nullable BiConsumer<String, byte[]> listener;

    /** From now on, this listener is told; at once, what nobody has been told yet. */
    void listen(BiConsumer<String, byte[]> newListener) {
        listener = newListener;
        List<Publish> earlier = List.copyOf(undelivered);
        undelivered.clear();
        earlier.forEach(this::deliver);
    }

    /** Throws whatever the listener throws. */
    void deliver(Publish publish) {
        if (listener == null) {
            undelivered.add(publish);
        } else {
            listener.accept(publish.topic(), publish.payload());
        }
    }
}
