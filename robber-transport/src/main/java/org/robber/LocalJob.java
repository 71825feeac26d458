package org.robber;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Topology;

/** All nodes of a job in one process, each with a thread of its own, connected over loopback; see {@link Robber#local}. */
public final class LocalJob implements AutoCloseable {
    /** Each node has threads, sockets and buffers of its own, so more would exhaust the process. */
    private static final int MOST_NODES = 1024;

    private final ExecutorService threads;
    private final List<Robber> nodes;
    private final AtomicInteger programs = new AtomicInteger();
    private volatile boolean closed;

    /** @param clusters the name of each node's cluster, by rank */
    LocalJob(List<String> clusters) {
        this(clusters, UnaryOperator.identity());
    }

    /** @param settings changes the options of each node */
    LocalJob(List<String> clusters, UnaryOperator<JobOptions> settings) {
        int size = clusters.size();
        this.threads = Executors.newFixedThreadPool(size, LocalJob::daemon);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        List<CompletableFuture<Robber>> joining = new ArrayList<>();
        try {
            for (int rank = 0; rank < size; rank++) {
                JobOptions options = settings.apply(
                        JobOptions.of("local", "127.0.0.1", 0, rank, size).withCluster(clusters.get(rank)));
                joining.add(CompletableFuture.supplyAsync(() -> join(options, port), threads));
            }
            this.nodes = results(joining);
        } catch (RuntimeException e) {
            RobberException failure = asFailure(e);
            port.completeExceptionally(failure);
            threads.shutdownNow();
            // Those that have joined, or still do.
            joining.forEach(node -> node.thenAcceptAsync(
                    joined -> {
                        joined.world().fail(failure);
                        joined.close();
                    },
                    close -> daemon(close).start()));
            throw e;
        }
    }

    private static Robber join(JobOptions options, CompletableFuture<Integer> port) {
        if (options.rank() != 0) {
            return Robber.join(options.withPort(port.join()));
        }
        try {
            return Robber.join(options, port::complete);
        } catch (RuntimeException e) {
            port.completeExceptionally(e);
            throw e;
        }
    }

    static LocalJob ofEqualClusters(int clusters, int nodesPerCluster, UnaryOperator<JobOptions> settings) {
        checkArgument(clusters >= 1, "clusters: %s", clusters);
        checkArgument(nodesPerCluster >= 1, "nodesPerCluster: %s", nodesPerCluster);
        checkArgument(
                (long) clusters * nodesPerCluster <= MOST_NODES,
                "%s clusters of %s nodes: one process holds at most %s nodes",
                clusters,
                nodesPerCluster,
                MOST_NODES);
        List<String> names = new ArrayList<>();
        for (int rank = 0; rank < clusters * nodesPerCluster; rank++) {
            names.add(Topology.letters(rank / nodesPerCluster));
        }
        return new LocalJob(names, settings);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "robber-local");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs a program as every node at once and returns when all have ended. A node whose program throws fails the job. So does one whose program returns
     * while others wait for its next call.
     *
     * @throws RobberException the failure of the job, if it failed
     * @throws IllegalStateException if the job is closed
     */
    public void run(RankProgram program) {
        checkArgument(program != null, "program is null");
        checkState(!closed, "the job is closed");
        List<Future<Boolean>> running = new ArrayList<>();
        for (Robber node : nodes) {
            running.add(threads.submit(() -> {
                programs.incrementAndGet();
                try {
                    program.run(node.world());
                    end(node);
                    return true;
                } catch (RobberException e) {
                    node.world().fail(e);
                    throw e;
                } catch (Exception | Error e) {
                    RobberException failure = new RobberException(
                            Reason.INTERNAL,
                            List.of(node.world().rank()),
                            "program",
                            "the program of rank " + node.world().rank() + " threw " + e,
                            e);
                    node.world().fail(failure);
                    throw failure;
                } finally {
                    programs.decrementAndGet();
                }
            }));
        }
        try {
            results(running);
        } catch (RobberException e) {
            // its nodes fail in whatever way they come to know of it
            throw closed ? closed(e) : e;
        }
    }

    /** Others may wait for a call of this node, which will not come. */
    private static void end(Robber node) {
        try {
            node.world().control().endProgram();
        } catch (RobberException e) {
            // The program of this node has ended well. Those that wait throw this.
        }
    }

    private static RobberException closed(@Nullable Throwable cause) {
        return new RobberException(
                Reason.INTERRUPTED, List.of(), "program", "the job was closed while its program ran", cause);
    }

    /** Waits for all; then throws what the first of those that failed threw, if any. */
    private static <T> List<T> results(List<? extends Future<T>> futures) {
        List<T> results = new ArrayList<>();
        RobberException first = null;
        for (Future<T> future : futures) {
            try {
                results.add(future.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                first = new RobberException(Reason.INTERRUPTED, List.of(), "local", "interrupted", e);
                break;
            } catch (ExecutionException e) {
                if (first == null) {
                    first = asFailure(e.getCause() == null ? e : e.getCause());
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return results;
    }

    private static RobberException asFailure(Throwable cause) {
        return cause instanceof RobberException failure
                ? failure
                : new RobberException(Reason.INTERNAL, List.of(), "local", "a defect of Robber: " + cause, cause);
    }

    /**
     * Ends the job. If its program runs, {@link #run} fails with {@code INTERRUPTED}, and threads that are in no call of Robber are
     * interrupted.
     */
    @Override
    public void close() {
        closed = true;
        if (programs.get() > 0) {
            nodes.get(0).world().fail(closed(null));
        }
        // the threads of the job may be those of a program that does not end
        ExecutorService closers = Executors.newFixedThreadPool(nodes.size(), LocalJob::daemon);
        List<Future<Boolean>> closing = new ArrayList<>();
        for (Robber node : nodes) {
            closing.add(closers.submit(() -> {
                node.close();
                return true;
            }));
        }
        try {
            results(closing);
        } finally {
            closers.shutdownNow();
            threads.shutdownNow();
        }
    }
}
