package org.robber.transport.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.transport.rankzero.RendezvousListener;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** The nodes of a job in this JVM, over real sockets. Every wait has a limit. */
final class TestJob implements AutoCloseable {
    static final int LIMIT_SECONDS = 20;
    static final int DATA_PORT = 4000;

    private final int size;
    private final Sockets sockets;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final List<Future<ControlPlane>> joining = new ArrayList<>();

    TestJob(int size) {
        this(size, Sockets.Kind.best());
    }

    TestJob(int size, Sockets.Kind kind) {
        this.size = size;
        this.sockets = Sockets.open(2, kind);
    }

    /** A job in which everyone is there, in order of ranks. */
    List<ControlPlane> start() throws Exception {
        List<Future<ControlPlane>> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            ranks.add(join(options(rank)));
        }
        List<ControlPlane> controlPlanes = new ArrayList<>();
        for (Future<ControlPlane> rank : ranks) {
            controlPlanes.add(get(rank));
        }
        return controlPlanes;
    }

    /** Usual options; the port is known once rank 0 listens. */
    JobOptions options(int rank) {
        return options(rank, "localhost");
    }

    /** The same, where rank 0 is looked for at this host. */
    JobOptions options(int rank, String host) {
        return JobOptions.of("test", host, 0, rank, size)
                .withConnectTimeout(Duration.ofSeconds(LIMIT_SECONDS))
                .withSecret(new byte[] {1, 2, 3});
    }

    /** Joins on a thread of its own; others than rank 0 learn the port by themselves. */
    Future<ControlPlane> join(JobOptions options) {
        return joinOn(sockets, options);
    }

    /** Joins over sockets of its own, which the caller closes. */
    Future<ControlPlane> joinOn(Sockets own, JobOptions options) {
        Future<ControlPlane> joined = threads.submit(() -> options.rank() == 0
                ? RendezvousListener.join(options, Credentials.of(options), own, List.of(""), DATA_PORT, port::complete)
                : Rendezvous.join(
                        options.withPort(port()),
                        Credentials.of(options),
                        own,
                        List.of(""),
                        DATA_PORT + options.rank()));
        joining.add(joined);
        return joined;
    }

    Sockets sockets() {
        return sockets;
    }

    /** Where rank 0 listens. */
    int port() throws Exception {
        return port.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    <T> Future<T> run(Callable<T> work) {
        return threads.submit(work);
    }

    static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** The failure with which this ends. */
    static RobberException failure(Future<?> future) {
        Throwable thrown = catchThrowable(() -> get(future));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertThat(thrown.getCause()).isInstanceOf(RobberException.class);
        return (RobberException) thrown.getCause();
    }

    /** Closes everything, all nodes at a time. */
    @Override
    public void close() {
        List<Future<?>> closing = new ArrayList<>();
        for (Future<ControlPlane> each : joining) {
            if (each.isDone() && catchThrowable(each::get) == null) {
                closing.add(threads.submit(() -> {
                    get(each).close();
                    return null;
                }));
            }
        }
        assertThat(closing).allSatisfy(each -> get(each));
        sockets.close();
        threads.shutdownNow();
    }
}
