package org.robber.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
        if (job.isLocal()) {
            run.startLauncher(environment);
        } else {
            run.startNodes(environment);
        }
        return run;
    }

    private void startLauncher(Map<String, String> environment) throws IOException {
        start(environment, folder.resolve("copies").toString(), "--local=" + job.shape());
    }

    private void startNodes(Map<String, String> environment) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("ROBBER_URI", "robber://soak@127.0.0.1:" + free.getLocalPort());
        }
        environment.put("ROBBER_SIZE", Integer.toString(job.nodes()));
        Files.createDirectory(folder.resolve("copies"));
        for (int rank = 0; rank < job.nodes(); rank++) {
            environment.put("ROBBER_RANK", Integer.toString(rank));
            environment.put("ROBBER_CLUSTER", job.clusters().get(rank));
            start(environment, place(rank) + "/");
        }
    }

    private void start(Map<String, String> environment, String destination, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("replicate"));
        arguments.addAll(List.of(more));
        arguments.addAll(job.options());
        arguments.add(job.withSlash() ? source + "/" : source.toString());
        arguments.add(destination);
        started.add(Launched.start(folder, environment, arguments.toArray(String[]::new)));
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
        TimeUnit.MICROSECONDS.sleep(job.harm().delayMicros());
        boolean done = false;
        for (ProcessHandle victim : victims) {
            done |= job.harm().kind() == Kind.KILL ? victim.destroyForcibly() : victim.destroy();
        }
        return done;
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
            case STAGED -> names(watched).stream().anyMatch(SoakRun::isStaging);
            case TRANSFERRING -> err(0).contains("\"type\":\"started\"");
            case WRITTEN -> written(watched) > job.harm().share() * job.source().bytes();
            case SHOWN -> names(watched).stream().anyMatch(name -> !isStaging(name));
        };
    }

    /** What the kernel has counted of what the node wrote: its copy, and a little more. */
    private long written(int rank) throws IOException {
        Optional<ProcessHandle> node = process(rank);
        if (node.isEmpty() || names(rank).isEmpty()) {
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
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(place(rank))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        return names;
    }

    private boolean running() {
        return started.stream().anyMatch(Launched::running);
    }

    /** Waits until everything that was started has ended; whether it has, within this time. */
    boolean awaitEnd(long limitNanos) throws InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (running()) {
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
