package org.robber.transport.storage;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a node that read, hash and write pieces. They know how long the task takes that began first, so a storage that never
 * answers can be told from a network that brings nothing.
 */
public final class StorageThreads extends ThreadPoolExecutor {
    private static final int MOST = 4;
    private static final long SHUTDOWN_SECONDS = 5;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final Map<Thread, Long> beganNanos = new ConcurrentHashMap<>();

    private StorageThreads(int threads) {
        super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), StorageThreads::thread);
    }

    /** Half as many as there are processors, four at most. */
    public static StorageThreads open() {
        return open(Math.min(MOST, Math.max(1, Runtime.getRuntime().availableProcessors() / 2)));
    }

    /** With this number of threads. */
    public static StorageThreads open(int threads) {
        return new StorageThreads(threads);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "robber-storage-" + NUMBERS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        beganNanos.put(thread, System.nanoTime());
    }

    @Override
    protected void afterExecute(Runnable task, Throwable problem) {
        beganNanos.remove(Thread.currentThread());
    }

    /** For how long the task runs that began first; 0 if none runs. */
    public long longestTaskNanos() {
        long now = System.nanoTime();
        return beganNanos.values().stream()
                .mapToLong(began -> now - began)
                .max()
                .orElse(0);
    }

    /** Drops what has not begun, and waits a few seconds for what has. */
    public void end() {
        shutdownNow();
        try {
            boolean unused = awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
