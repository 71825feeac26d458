package org.robber.cli.serve;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.robber.cli.launch.HostTerms;
import org.robber.cli.launch.OwnCommand;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.Frames.Kind;
import org.robber.transport.service.ServiceConnection;

/** The jobs of a daemon, a limited number at a time, each in a process of its own. Thread-safe. */
final class ServedJobs {
    /** How long an operator may take to say what it wants, and to read why it does not get it. */
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    /** SHA-256 is fast in the code of the optimising compiler only. */
    private static final String SLOW_DIGEST = "sha256";

    private static final String OPTIMISING_COMPILER = "-XX:TieredStopAtLevel=4";

    private final String build;
    private final Supplier<String> installed;
    private final Supplier<ServeSettings> settings;
    private final Consumer<String> log;
    private final Runnable ended;
    private final List<ServedJob> running = new ArrayList<>();
    private boolean stopped;

    /**
     * @param installed the build of the program that the next job would run, which an upgrade may change
     * @param settings that hold for the next job
     * @param log told of the beginning and the end of each job
     * @param ended run after each job
     */
    ServedJobs(Supplier<String> installed, Supplier<ServeSettings> settings, Consumer<String> log, Runnable ended) {
        this.build = installed.get();
        this.installed = installed;
        this.settings = settings;
        this.log = log;
        this.ended = ended;
    }

    /** Why there is no node, in words for the operator. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    /** Serves one connection until its end. */
    void serve(ServiceConnection connection) throws InterruptedException {
        String operator = connection.peer().getHostAddress();
        Frames frames = new Frames(connection.input(), connection.output());
        try (connection) {
            connection.limitReads(START_LIMIT);
            Frame first = frames.read();
            if (first == null || first.kind() != Kind.START) {
                throw new IOException("it did not ask for a node");
            }
            try {
                serve(connection, frames, StartRequest.of(first.bytes()), operator);
            } catch (Refusal e) {
                log.accept("refused a job of " + operator + ": " + e.getMessage());
                frames.write(Kind.REFUSED, String.valueOf(e.getMessage()));
                // the operator closes the connection when it has read this
                frames.read();
            }
        } catch (IOException e) {
            log.accept("closed the connection of " + operator + ": " + e.getMessage());
        }
    }

    private void serve(ServiceConnection connection, Frames frames, StartRequest request, String operator)
            throws Refusal, IOException, InterruptedException {
        ServedJob job = start(connection, frames, request);
        try {
            log.accept("a job of " + operator + " begins, process " + job.processId());
            frames.write(Kind.READY, new Started(job.processId(), operator).toBytes());
            connection.waitForReads();
            int exitCode = job.run();
            log.accept("the job of " + operator + ", process " + job.processId() + ", has ended with " + exitCode);
        } finally {
            job.kill();
            leave(job);
        }
    }

    private synchronized ServedJob start(ServiceConnection connection, Frames frames, StartRequest request)
            throws Refusal {
        ServeSettings now = settings.get();
        if (!installed.get().equals(build)) {
            throw new Refusal(
                    "its program was replaced while its daemon ran: restart the daemon, such as with 'systemctl restart robber'");
        }
        if (!request.build().equals(build)) {
            throw new Refusal("its daemon runs " + build + ", and this is " + request.build()
                    + ": install the same version here and there");
        }
        if (stopped) {
            throw new Refusal("its daemon is about to end");
        }
        if (running.size() >= now.mostJobs()) {
            throw new Refusal("its daemon runs as many jobs as it may, " + running.size()
                    + ": wait until one has ended, or raise 'jobs' in its configuration");
        }
        try {
            ServedJob job = new ServedJob(
                    connection, frames, command(now.terms(), request).start());
            running.add(job);
            return job;
        } catch (IOException e) {
            throw new Refusal("its daemon cannot start a process: " + e.getMessage());
        }
    }

    private static ProcessBuilder command(HostTerms terms, StartRequest request) {
        List<String> command = new ArrayList<>(OwnCommand.java());
        if (request.digest().equals(SLOW_DIGEST)) {
            command.add(OPTIMISING_COMPILER);
        }
        command.addAll(OwnCommand.program());
        command.add(HostTerms.COMMAND);
        command.addAll(terms.toArguments());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name ->
                        name.startsWith("ROBBER_") || name.startsWith("LISTEN_") || name.equals("NOTIFY_SOCKET"));
        return builder;
    }

    private synchronized void leave(ServedJob job) {
        running.remove(job);
        ended.run();
    }

    /** How many run. */
    synchronized int count() {
        return running.size();
    }

    /** Begins no more jobs. */
    synchronized void close() {
        stopped = true;
    }

    /** Tells those that run to end. */
    synchronized void stop() {
        running.forEach(ServedJob::stop);
    }

    /** Ends those that run by force. */
    synchronized void kill() {
        running.forEach(ServedJob::kill);
    }
}
