package org.robber.transport.mesh;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Threads that wait for calls poll the memory that this node shares with others. So a message needs no system call, and wakes no thread. While nobody polls,
 * peers ring over their connections. Thread-safe.
 */
final class SharedMemoryPolling {
    /** A thread sleeps after so long without a message. */
    private static final long MOST_IDLE_NANOS = 5_000_000;

    /** All are looked at in turn, and each takes memory. */
    private static final int MOST_LINKS = 64;

    private final List<MeshLink> links = new CopyOnWriteArrayList<>();
    private final Predicate<MeshLink> read;
    private int pollers;

    /** @param read handles the messages in the memory that is shared over the link; returns whether there were any */
    SharedMemoryPolling(Predicate<MeshLink> read) {
        this.read = read;
    }

    /** Whether there may be another link. */
    boolean hasRoom() {
        return links.size() < MOST_LINKS;
    }

    /** Over this link memory is shared from now on. */
    synchronized void add(MeshLink link) {
        links.add(link);
        link.setPolled(pollers > 0);
    }

    /** Polls until this is done, the thread is interrupted, so many nanoseconds are over, or no message comes for {@value #MOST_IDLE_NANOS} of them. */
    @SuppressWarnings("ThreadPriorityCheck") // Processes that have something to do go first.
    void poll(CompletableFuture<?> awaited, long mostNanos) {
        if (links.isEmpty() || awaited.isDone()) {
            return;
        }
        changePollers(+1);
        try {
            long begin = System.nanoTime();
            long lastMessage = begin;
            while (!awaited.isDone() && !Thread.currentThread().isInterrupted()) {
                long now = System.nanoTime();
                if (readAll()) {
                    lastMessage = now;
                } else if (now - lastMessage > MOST_IDLE_NANOS || now - begin > mostNanos) {
                    break;
                } else {
                    Thread.yield();
                }
            }
        } finally {
            changePollers(-1);
            // Nobody has rung for messages that came while peers could still see a poller.
            readAll();
        }
    }

    private synchronized void changePollers(int change) {
        pollers += change;
        if (pollers == Math.max(change, 0)) {
            links.forEach(link -> link.setPolled(pollers > 0));
        }
    }

    private boolean readAll() {
        boolean any = false;
        for (MeshLink link : links) {
            any |= read.test(link);
        }
        return any;
    }
}
