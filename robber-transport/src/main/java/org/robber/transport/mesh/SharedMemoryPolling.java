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
    private static final int MOST_MEMORIES = 64;

    private final List<SharedMemory> memories = new CopyOnWriteArrayList<>();
    private final Predicate<SharedMemory> read;
    private int pollers;

    /** @param read handles the messages in a memory; returns whether there were any */
    SharedMemoryPolling(Predicate<SharedMemory> read) {
        this.read = read;
    }

    /** Whether there may be another memory. */
    boolean hasRoom() {
        return memories.size() < MOST_MEMORIES;
    }

    /** This node shares this memory from now on. */
    synchronized void add(SharedMemory memory) {
        memories.add(memory);
        memory.setPolled(pollers > 0);
    }

    /** Handles the last messages of a node that has left. */
    void readFrom(int rank) {
        for (SharedMemory memory : memories) {
            if (memory.rank() == rank) {
                boolean unused = read.test(memory);
            }
        }
        remove(rank);
    }

    /** Nothing that this node has written is read any more. */
    synchronized void remove(int rank) {
        memories.removeIf(memory -> memory.rank() == rank);
    }

    /** Polls until this is done, the thread is interrupted, so many nanoseconds are over, or no message comes for {@value #MOST_IDLE_NANOS} of them. */
    @SuppressWarnings("ThreadPriorityCheck") // Processes that have something to do go first.
    void poll(CompletableFuture<?> awaited, long mostNanos) {
        if (memories.isEmpty() || awaited.isDone()) {
            return;
        }
        changePollers(+1);
        try {
            long begin = System.nanoTime();
            long lastMessage = begin;
            long now = begin;
            while (!awaited.isDone()
                    && !Thread.currentThread().isInterrupted()
                    && now - begin <= mostNanos
                    && now - lastMessage <= MOST_IDLE_NANOS) {
                if (readAll()) {
                    lastMessage = now;
                } else {
                    Thread.yield();
                }
                now = System.nanoTime();
            }
        } finally {
            changePollers(-1);
            // Nobody has rung for messages that came while peers could still see a poller.
            readAll();
        }
    }

    private synchronized void changePollers(int change) {
        boolean before = pollers > 0;
        pollers += change;
        boolean after = pollers > 0;
        if (before != after) {
            memories.forEach(memory -> memory.setPolled(after));
        }
    }

    /** Handles all messages that there are; returns whether there were any. */
    boolean readAll() {
        boolean any = false;
        for (SharedMemory memory : memories) {
            any |= read.test(memory);
        }
        return any;
    }
}
