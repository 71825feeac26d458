package org.robber.cli.remote;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.remote.HostStart.Outcome;
import org.robber.cli.request.TimeLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts nodes on many hosts, a limited number at a time, and waits for all of them. */
final class RemoteStarts {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteStarts.class);

    private static final long CHECK_SECONDS = 1;

    /** How often nodes that wait for the others get an empty line. One that hears nothing for minutes ends. */
    private static final long WORD_NANOS = 10_000_000_000L;

    private final Starter starter;
    private final Duration connect;
    private final StatusConsole console;

    /** A signal ends them from its own thread, perhaps while others are added. */
    private final List<HostStart> starts = new CopyOnWriteArrayList<>();

    /** The processes that lead to nodes which wait for the others. */
    private final List<Process> ready = new CopyOnWriteArrayList<>();

    private long wordNanos = System.nanoTime();

    /** @param connect how long a host may be silent */
    RemoteStarts(Starter starter, Duration connect, StatusConsole console) {
        this.starter = starter;
        this.connect = connect;
        this.console = console;
    }

    /**
     * Starts a node on each host.
     *
     * @param deadline after which none is waited for, or null
     * @return how it went, in the order of the hosts; the caller ends the nodes
     */
    List<Outcome> run(List<ListedHost> hosts, @Nullable TimeLimit deadline) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.min(starter.fanout(), hosts.size()),
                new ThreadFactoryBuilder()
                        .setNameFormat("start")
                        .setDaemon(true)
                        .build());
        try {
            List<Future<Outcome>> results = new ArrayList<>();
            for (ListedHost host : hosts) {
                HostStart start = starter.start(host, connect, console);
                starts.add(start);
                results.add(pool.submit(() -> run(start)));
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (Future<Outcome> result : results) {
                outcomes.add(await(result, deadline));
            }
            return outcomes;
        } finally {
            pool.shutdownNow();
        }
    }

    private Outcome run(HostStart start) {
        Outcome outcome = start.run();
        if (outcome.process() != null) {
            ready.add(outcome.process());
        }
        return outcome;
    }

    private Outcome await(Future<Outcome> result, @Nullable TimeLimit deadline) throws InterruptedException {
        while (true) {
            if (System.nanoTime() - wordNanos >= WORD_NANOS) {
                wordNanos = System.nanoTime();
                ready.forEach(RemoteStarts::sendEmptyLine);
            }
            try {
                return result.get(CHECK_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                starts.forEach(start -> start.giveUpIfSilent(connect));
                if (deadline != null && deadline.left().isZero()) {
                    giveUp("the deadline has passed");
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("the start of a node failed", e.getCause());
            }
        }
    }

    private static void sendEmptyLine(Process leading) {
        try {
            leading.getOutputStream().write('\n');
            leading.getOutputStream().flush();
        } catch (IOException e) {
            // It ends, which is heard of once it is part of the job.
            LOG.debug("{} does not listen", leading, e);
        }
    }

    /** Ends all that have not been handed over. */
    void giveUp(String why) {
        starts.forEach(start -> start.giveUp(why));
    }
}
