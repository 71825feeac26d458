package org.robber.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.cli.SoakHarm.Kind;

/** A {@link SoakJob} as processes. {@link #close} ends whatever is left of them. */
final class SoakRun implements AutoCloseable {

    /** Inherited by all processes of a job: each process with it belongs to the job. */
    private static final String MARK = "SOAK_JOB";

    /** How long a node that is stopped is waited for. */
    private static final int IDLE_SECONDS = 20;

    /** In the testbed, where there are fewer nodes. */
    private static final int CUT_IDLE_SECONDS = 12;

    private final SoakJob job;
    private final Path folder;
    private final Path source;
    /** The launcher of all nodes, or each of them, by rank. */
    private final List<Launched> started = new ArrayList<>();

    private final int connectSeconds;
    private @Nullable SoakNet net;
    private List<String> spoilt = List.of();

    private SoakRun(SoakJob job, Path folder, int connectSeconds) throws IOException {
        this.job = job;
        this.folder = folder;
        this.connectSeconds = connectSeconds;
        this.source = job.source().make(folder);
    }

    /** Starts it in this folder; what has to end within the time for connecting takes this long at least. */
    static SoakRun start(SoakJob job, Path folder, int connectSeconds) throws IOException {
        SoakRun run = new SoakRun(job, folder, connectSeconds);
        if (job.harm().kind() == Kind.CUT) {
            run.net = SoakNet.open(job);
        }
        run.startAll();
        return run;
    }

    private void startAll() throws IOException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("ROBBER_CONNECT_TIMEOUT", connectSeconds + "s");
        if (job.harm().kind() == Kind.STOP) {
            environment.put("ROBBER_IDLE_TIMEOUT", IDLE_SECONDS + "s");
        } else if (job.harm().kind() == Kind.CUT && !job.harm().cut().isShort()) {
            environment.put("ROBBER_IDLE_TIMEOUT", CUT_IDLE_SECONDS + "s");
        }
        List<String> replicate = new ArrayList<>(List.of("replicate"));
        replicate.addAll(job.options());
        replicate.add("--report=" + report());
        replicate.add(job.withSlash() ? source + "/" : source.toString());
        start(environment, replicate);
    }

    /** Has all nodes verify their copies, in the place of what has run before and has ended. */
    void verify(boolean repairs) throws IOException {
        started.clear();
        start(new TreeMap<>(), repairs ? List.of("verify", "--repair") : List.of("verify"));
    }

    /** Starts a command for all nodes, which lacks nothing but their places. */
    private void start(Map<String, String> environment, List<String> command) throws IOException {
        environment.put(MARK, mark());
        if (job.isLocal()) {
            List<String> local = new ArrayList<>(command);
            local.add(1, "--local=" + job.shape());
            local.add(folder.resolve("copies").toString());
            start(0, environment, local);
        } else {
            startNodes(environment, command);
        }
    }

    private void startNodes(Map<String, String> environment, List<String> command) throws IOException {
        environment.put("ROBBER_URI", net == null ? "robber://soak@127.0.0.1:" + FreePort.find() : net.uri());
        environment.put("ROBBER_SIZE", Integer.toString(job.nodes()));
        Files.createDirectories(folder.resolve("copies"));
        for (int rank = 0; rank < job.nodes(); rank++) {
            environment.put("ROBBER_RANK", Integer.toString(rank));
            environment.put("ROBBER_CLUSTER", job.clusters().get(rank));
            if (job.harm().hidesCopyOf(rank)) {
                Files.createDirectory(place(rank));
            }
            List<String> one = new ArrayList<>(command);
            one.add(place(rank) + "/");
            start(rank, environment, one);
        }
    }

    private void start(int rank, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.script().toString()));
        command.addAll(arguments);
        if (job.harm().hidesCopyOf(rank)) {
            command = SoakDisk.mountedAt(place(rank), job.source().bytes(), SoakJob.MOST_FILES, command);
        }
        if (net != null) {
            command = net.onNode(rank, command);
        }
        started.add(Launched.command(folder, environment, command));
    }

    /** Where rank 0 writes the report. */
    Path report() {
        return folder.resolve("report.json");
    }

    private String mark() {
        return folder.toString();
    }

    Path source() {
        return source;
    }

    /** The folder that takes a node's copy. */
    Path place(int rank) {
        return folder.resolve("copies").resolve(job.isLocal() ? job.folderOf(rank) : Integer.toString(rank));
    }

    /** The copy of a node under its final name. */
    Path copy(int rank) {
        return job.withSlash() ? place(rank) : place(rank).resolve(job.source().name());
    }

    /** Starts the same command again, in the place of what has ended. */
    void startAgain() throws IOException {
        started.clear();
        startAll();
    }

    /** The network between the nodes, if it is the testbed's. */
    Optional<SoakNet> net() {
        return Optional.ofNullable(net);
    }

    void setSpoilt(List<String> done) {
        spoilt = done;
    }

    /** Whether bits of its copy have flipped after they were written, which is found when it is read again, and not before. */
    boolean mayHaveRotten(int rank) {
        return job.harm().kind() == Kind.FLIP
                && !spoilt.isEmpty()
                && job.harm().victims().contains(rank);
    }

    /** What was done to the files of half-written copies. */
    List<String> spoilt() {
        return spoilt;
    }

    /** Who is meant by what happens to the job. */
    List<ProcessHandle> victims() {
        if (job.isLocal() && job.harm().kind() == Kind.TERMINATE) {
            return ProcessHandle.of(started.get(0).processId()).stream().toList();
        }
        return job.harm().victims().stream()
                .flatMap(rank -> process(rank).stream())
                .toList();
    }

    /** The process of a node, if it runs. */
    Optional<ProcessHandle> process(int rank) {
        return job.isLocal()
                ? started.get(0).findNode(rank)
                : ProcessHandle.of(started.get(rank).processId()).map(this::program);
    }

    /** The process itself, or what runs in the testbed for it. */
    private ProcessHandle program(ProcessHandle process) {
        return net == null ? process : process.children().findFirst().orElse(process);
    }

    static boolean isStaging(String name) {
        return name.startsWith(".robber-");
    }

    /** What is in a node's place at the moment. */
    List<String> names(int rank) throws IOException {
        return names(place(rank));
    }

    static List<String> names(Path place) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(place)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
            return List.of();
        }
        return names;
    }

    private boolean onlyVictimsRun() {
        if (job.isLocal()) {
            List<ProcessHandle> nodes = started.get(0).nodes();
            return !nodes.isEmpty() && victims().containsAll(nodes);
        }
        for (int rank = 0; rank < started.size(); rank++) {
            if (started.get(rank).running() && !job.harm().victims().contains(rank)) {
                return false;
            }
        }
        return true;
    }

    boolean running() {
        return started.stream().anyMatch(Launched::running);
    }

    /**
     * Waits until everything that was started has ended; whether it has, within this time. What was stopped for ever has
     * ended when all else has.
     */
    boolean awaitEnd(long limitNanos) throws InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (running()) {
            if (job.harm().kind() == Kind.STOP && onlyVictimsRun()) {
                job.harm().victims().forEach(rank -> process(rank).ifPresent(ProcessHandle::destroyForcibly));
            }
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return true;
    }

    /** The code that a node ended with; of a {@code --local} job, that of the job. Only once it has ended. */
    int exitCode(int rank) throws IOException, InterruptedException {
        return of(rank).exitCode();
    }

    /** What a node said; of a {@code --local} job, what all have said. */
    String err(int rank) throws IOException {
        return of(rank).err();
    }

    private Launched of(int rank) {
        return started.get(job.isLocal() ? 0 : rank);
    }

    /** Processes of the job that run at the moment, also those that its processes started. */
    List<ProcessHandle> processes() {
        return Launched.withVariable(MARK, mark());
    }

    /** The output of all processes, for people. */
    String story() throws IOException, InterruptedException {
        StringBuilder story = new StringBuilder();
        for (int i = 0; i < started.size(); i++) {
            Launched one = started.get(i);
            story.append("--- ")
                    .append(job.isLocal() ? "launcher" : "rank " + i)
                    .append(one.running() ? " runs still" : " ended with " + one.exitCode())
                    .append('\n')
                    .append(one.err());
        }
        return story.toString();
    }

    @Override
    public void close() {
        started.forEach(Launched::close);
        processes().forEach(ProcessHandle::destroyForcibly);
        if (net != null) {
            net.close();
        }
    }
}
