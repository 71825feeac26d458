package org.robber.cli.serve;

import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.security.Credentials;
import org.robber.transport.service.ServiceConnection;
import org.robber.transport.service.ServiceManager;
import org.robber.transport.service.ServicePort;

/**
 * {@code robber-cli serve}: starts nodes for operators that prove the secret. SIGHUP reads the configuration anew, for jobs that begin from then on. SIGTERM and SIGINT
 * end the daemon when its jobs have ended, or after a limit; a second one ends them at once.
 */
public final class Daemon {
    /** Connections that may be asking for a node at a time, beside the jobs that run. */
    private static final int MOST_ASKING = 64;

    /** How long jobs may take to end when told to. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(3);

    private final Supplier<ServeSettings> configuration;
    private final Consumer<String> log;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final ServedJobs jobs;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            new ThreadFactoryBuilder().setNameFormat("operator").setDaemon(true).build());
    private volatile ServeSettings settings;
    private volatile Credentials credentials;

    private enum Event {
        RELOAD,
        STOP,
        JOB_ENDED
    }

    /**
     * @param build of the program as it is installed now, which operators must have, too
     * @param configuration read now, and whenever it is to be read anew
     * @param log told what happens
     * @throws RobberException if the configuration cannot be used
     */
    public Daemon(Supplier<String> build, Supplier<ServeSettings> configuration, Consumer<String> log) {
        this.configuration = configuration;
        this.log = log;
        this.settings = configuration.get();
        this.credentials = Credentials.ofSecret(settings.secret());
        this.jobs = new ServedJobs(build, () -> settings, log, () -> events.add(Event.JOB_ENDED));
    }

    /**
     * Serves until it is told to end.
     *
     * @param variables of this process, by which a service manager says what it hands over
     * @return the exit code
     */
    public int run(Map<String, String> variables) throws InterruptedException {
        Signals.handle("HUP", () -> events.add(Event.RELOAD));
        Signals.handle("TERM", () -> events.add(Event.STOP));
        Signals.handle("INT", () -> events.add(Event.STOP));
        try (ServicePort port = open(new ServiceManager(variables))) {
            checkSecret(settings, port.address());
            log.accept("listens at " + text(port.address()) + ", most jobs at a time: " + settings.mostJobs()
                    + (settings.secret().length == 0
                            ? ", without a secret: every user of this machine may have copies written"
                            : ""));
            warnOfMissingFolders();
            port.tell("READY=1");
            for (Event event = events.take(); event != Event.STOP; event = events.take()) {
                if (event == Event.RELOAD) {
                    // a file that hangs must not keep the daemon from its end
                    threads.execute(() -> reload(port.address()));
                }
            }
            port.tell("STOPPING=1");
            jobs.close();
            port.stopListening();
            log.accept("ends when its jobs have ended: " + jobs.count());
            awaitJobs(settings.stopLimit());
            jobs.stop();
            awaitJobs(STOP_GRACE);
            jobs.kill();
            awaitJobs(STOP_GRACE);
        }
        log.accept("has ended");
        return 0;
    }

    private ServicePort open(ServiceManager manager) {
        try {
            if (manager.socket().isEmpty()) {
                checkSecret(settings, settings.address());
            }
            return ServicePort.open(manager, settings.address(), () -> credentials, this::accepted);
        } catch (IOException | IllegalArgumentException e) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(),
                    "serve",
                    "cannot listen at " + text(settings.address()) + ": " + e.getMessage(),
                    e);
        }
    }

    /** Without a secret, whoever reaches the port can write to this machine. */
    private static void checkSecret(ServeSettings settings, InetSocketAddress address) {
        boolean own = address.getAddress() != null && address.getAddress().isLoopbackAddress();
        if (settings.secret().length == 0 && !own) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "serve",
                    "without a secret, every process that reaches " + text(address)
                            + " could write to this machine: give --secret-file, or --listen=127.0.0.1");
        }
    }

    private static String text(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return (host == null ? address.getHostString() : InetAddresses.toUriString(host)) + ":" + address.getPort();
    }

    private void accepted(ServiceConnection connection) {
        if (connections.incrementAndGet() > settings.mostJobs() + MOST_ASKING) {
            connections.decrementAndGet();
            connection.close();
            return;
        }
        threads.execute(() -> {
            try {
                jobs.serve(connection);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                connections.decrementAndGet();
            }
        });
    }

    /** A configuration that cannot be used changes nothing. */
    private synchronized void reload(InetSocketAddress listening) {
        try {
            ServeSettings fresh = configuration.get();
            checkSecret(fresh, listening);
            boolean elsewhere = !fresh.address().equals(settings.address());
            credentials = Credentials.ofSecret(fresh.secret());
            settings = fresh;
            log.accept("has read its configuration anew: it holds for jobs that begin from now on"
                    + (elsewhere ? "; the address holds from the next start" : ""));
            warnOfMissingFolders();
        } catch (RuntimeException e) {
            log.accept("keeps its configuration, because the new one cannot be used: " + e.getMessage());
        }
    }

    /** A name with a mistake would refuse every copy, and only the operators would hear of it. */
    private void warnOfMissingFolders() {
        for (Path folder : settings.terms().limits().missingFolders()) {
            log.accept("there is no folder " + folder + ": no copy can go there until it is made");
        }
    }

    /** Waits until no job runs, or for so long, or until told to end once more. */
    private void awaitJobs(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (jobs.count() > 0) {
            Event event = events.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null || event == Event.STOP) {
                return;
            }
        }
    }
}
