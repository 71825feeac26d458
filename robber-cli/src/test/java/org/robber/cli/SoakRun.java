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
import org.robber.cli.SoakHarm.Kind;

/** A {@link SoakJob} as processes. {@link #close} ends whatever is left of them. */
final class SoakRun implements AutoCloseable {

    /** Inherited by all processes of a job: whoever has it belongs to it. */
    private static final String MARK = "SOAK_JOB";

    /** How long a node that is stopped is waited for. */
    private static final int IDLE_SECONDS = 20;

    private final SoakJob job;
    private final Path folder;
    private final Path source;
    /** The launcher of all nodes, or each of them, by rank. */
    private final List<Launched> started = new ArrayList<>();

    private SoakRun(SoakJob job, Path folder) throws IOException {
        this.job = job;
        this.folder = folder;
        this.source = job.source().make(folder);
    }

    /** Starts it in this folder; what has to end within the time for connecting takes this long at least. */
    static SoakRun start(SoakJob job, Path folder, int connectSeconds) throws IOException {
        SoakRun run = new SoakRun(job, folder);
        Map<String, String> environment = new TreeMap<>();
        environment.put(MARK, run.mark());
        environment.put("ROBBER_CONNECT_TIMEOUT", connectSeconds + "s");
        if (job.harm().kind() == Kind.STOP) {
            environment.put("ROBBER_IDLE_TIMEOUT", IDLE_SECONDS + "s");
        }
        if (job.isLocal()) {
            run.startLauncher(environment);
        } else {
            run.startNodes(environment);
        }
        return run;
    }

    private void startLauncher(Map<String, String> environment) throws IOException {
        start(0, environment, folder.resolve("copies").toString(), "--local=" + job.shape());
    }

    private void startNodes(Map<String, String> environment) throws IOException {
        environment.put("ROBBER_URI", "robber://soak@127.0.0.1:" + FreePort.find());
        environment.put("ROBBER_SIZE", Integer.toString(job.nodes()));
        Files.createDirectory(folder.resolve("copies"));
        for (int rank = 0; rank < job.nodes(); rank++) {
            environment.put("ROBBER_RANK", Integer.toString(rank));
            environment.put("ROBBER_CLUSTER", job.clusters().get(rank));
            if (job.harm().hidesCopyOf(rank)) {
                Files.createDirectory(place(rank));
            }
            start(rank, environment, place(rank) + "/");
        }
    }

    private void start(int rank, Map<String, String> environment, String destination, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.script().toString(), "replicate"));
        command.addAll(List.of(more));
        command.addAll(job.options());
        command.add("--report=" + report());
        command.add(job.withSlash() ? source + "/" : source.toString());
        command.add(destination);
        if (job.harm().hidesCopyOf(rank)) {
            command = SoakDisk.mountedAt(place(rank), job.source().bytes(), SoakJob.MOST_FILES, command);
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

    /** Waits for the moment of the harm and does it; whether it could, before the job was over. */
    boolean harm(long limitNanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (!hasCome()) {
            if (!running() || System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        List<ProcessHandle> victims = victims();
        long delayMicros = job.harm().delayMicros();
        if (job.harm().kind() != Kind.PAUSE) {
            TimeUnit.MICROSECONDS.sleep(delayMicros);
        }
        boolean done = false;
        for (ProcessHandle victim : victims) {
            done |= switch (job.harm().kind()) {
                case KILL -> victim.destroyForcibly();
                case STOP -> signal("STOP", victim);
                case PAUSE -> pause(victim, delayMicros);
                case FILL -> SoakDisk.fill(victim, place(job.harm().victims().get(0)));
                default -> victim.destroy();
            };
        }
        return done;
    }

    private static boolean pause(ProcessHandle victim, long micros) throws IOException, InterruptedException {
        if (!signal("STOP", victim)) {
            return false;
        }
        TimeUnit.MICROSECONDS.sleep(micros);
        return signal("CONT", victim);
    }

    /** Whether the process was there to get it. */
    private static boolean signal(String name, ProcessHandle victim) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, Long.toString(victim.pid()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private List<ProcessHandle> victims() {
        if (job.isLocal() && job.harm().kind() == Kind.TERMINATE) {
            return ProcessHandle.of(started.get(0).processId()).stream().toList();
        }
        return job.harm().victims().stream()
                .flatMap(rank -> process(rank).stream())
                .toList();
    }

    private Optional<ProcessHandle> process(int rank) {
        return job.isLocal()
                ? started.get(0).findNode(rank)
                : ProcessHandle.of(started.get(rank).processId());
    }

    private boolean hasCome() throws IOException {
        int watched = job.harm().watched();
        return switch (job.harm().moment()) {
            case STARTED -> process(watched).isPresent();
            case STAGED ->
                process(watched).isPresent() && namesSeenBy(watched).stream().anyMatch(SoakRun::isStaging);
            case TRANSFERRING -> err(0).contains("\"type\":\"started\"");
            case WRITTEN -> written(watched) > job.harm().share() * job.source().bytes();
            case SHOWN -> namesSeenBy(watched).stream().anyMatch(name -> !isStaging(name));
        };
    }

    /** What is in a node's place as the node sees it. */
    private List<String> namesSeenBy(int rank) throws IOException {
        Optional<ProcessHandle> node = process(rank);
        return job.harm().hidesCopyOf(rank) && node.isPresent()
                ? names(Path.of("/proc/" + node.get().pid() + "/root" + place(rank)))
                : names(rank);
    }

    /** What the kernel has counted of what the node wrote: its copy, and a little more. */
    private long written(int rank) throws IOException {
        Optional<ProcessHandle> node = process(rank);
        if (node.isEmpty() || namesSeenBy(rank).isEmpty()) {
            return 0;
        }
        try {
            return Files.readAllLines(Path.of("/proc/" + node.get().pid() + "/io")).stream()
                    .filter(line -> line.startsWith("wchar: "))
                    .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
                    .sum();
        } catch (IOException e) {
            // it has ended
            return 0;
        }
    }

    static boolean isStaging(String name) {
        return name.startsWith(".robber-");
    }

    /** What is in a node's place at the moment. */
    List<String> names(int rank) throws IOException {
        return names(place(rank));
    }

    private static List<String> names(Path place) throws IOException {
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

    private boolean running() {
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

    /** Processes of the job that run at the moment, whoever started them. */
    List<ProcessHandle> processes() {
        return Launched.withVariable(MARK, mark());
    }

    /** What everyone has said, for people. */
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
    }
}
