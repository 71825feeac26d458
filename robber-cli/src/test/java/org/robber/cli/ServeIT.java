package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.UnauthenticatedClient.Behaviour;
import org.robber.cli.report.ReportSchema;

/** {@code robber-cli serve} at several addresses of loopback, and {@code replicate -w --launcher=serve}. */
@Execution(ExecutionMode.CONCURRENT)
class ServeIT {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";
    private static final String BOTH = "A:" + FIRST + ",B:" + SECOND;

    /** A variable that all processes of a test have. */
    private final String mark = UUID.randomUUID().toString();

    private final List<ServeDaemon> daemons = new ArrayList<>();

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;
    private Path dest;
    private int port;

    @BeforeEach
    void makeSource() throws Exception {
        source = Trees.make(folder.resolve("tree"), 12);
        dest = Files.createDirectory(folder.resolve("dest"));
        port = FreePort.find();
    }

    @AfterEach
    void stop() {
        daemons.forEach(ServeDaemon::close);
        Launched.withVariable("SERVE_IT", mark).forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    @Tag("smoke")
    void everyHostGetsACopyWithoutSsh() throws Exception {
        daemon(FIRST);
        daemon(SECOND);
        Path report = folder.resolve("report.json");
        String secret = Files.readString(ServeDaemon.secretFile(folder));
        // All nodes take part once the transfer begins, and the limit keeps them alive while they are looked at.
        try (Launched run = replicate(BOTH, "-v", "--report=" + report, "--bwlimit=2M")) {
            run.awaitSaid("this machine: robber-cli: debug: prepare has ended, transfer begins", LIMIT_NANOS);
            List<ProcessHandle> processes = Launched.withVariable("SERVE_IT", mark);
            assertThat(processes).as(run.err()).hasSizeGreaterThanOrEqualTo(6);
            for (ProcessHandle process : processes) {
                assertThat(process.info().commandLine().orElse("")).doesNotContain(secret);
            }
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("A-0", "B-0", "complete: 3 of 3 nodes");
            assertThat(run.err())
                    .as("a copy in which nothing goes wrong shows no stack trace")
                    .contains(FIRST + ": robber-cli: debug: ", SECOND + ": robber-cli: debug: ")
                    .doesNotContain("\tat ");
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertCopies(FIRST, SECOND);
        for (ServeDaemon daemon : daemons) {
            daemon.awaitSaid("has ended with 0", 1);
            daemon.signal("TERM");
            assertThat(daemon.process().exitCode()).as(daemon.process().err()).isZero();
        }
        assertThat(Launched.withVariable("SERVE_IT", mark)).isEmpty();
    }

    @Test
    void nothingIsLeftWhenTheOperatorIsKilledAndTheDaemonsGoOn() throws Exception {
        daemon(FIRST);
        daemon(SECOND);
        try (Launched run = held(BOTH)) {
            assertThat(Launched.withVariable("SERVE_IT", mark)).hasSizeGreaterThanOrEqualTo(6);
            Launched.signal("KILL", run.processId());
            awaitProcesses(daemons.size());
        }
        assertThat(dest.resolve(FIRST).resolve("tree")).doesNotExist();
        try (Launched run = replicate(BOTH)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertCopies(FIRST, SECOND);
    }

    @Test
    void aKilledNodeHarmsNoOtherJob() throws Exception {
        ServeDaemon first = daemon(FIRST);
        daemon(SECOND);
        try (Launched harmed = replicate(BOTH, "--bwlimit=1M", "--progress=json")) {
            harmed.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            ProcessHandle victim = first.nodes().get(0);
            try (Launched other = replicate(BOTH, "--bwlimit=20M", folder.resolve("dest/other-{host}"))) {
                Launched.signal("KILL", victim.pid());
                assertThat(harmed.exitCode()).as(harmed.err()).isEqualTo(23);
                assertThat(harmed.err())
                        .contains(FIRST + " (rank 1), process " + victim.pid() + ", was killed by signal 9");
                assertThat(other.exitCode()).as(other.err()).isZero();
            }
        }
        Trees.assertSame(source, dest.resolve("other-" + FIRST).resolve("tree"));
        first.awaitSaid("has ended with 137", 1);
        first.awaitSaid("has ended with 0", 1);
    }

    @Test
    void hostsThatRefuseAreNamedAndTheOthersGoOn() throws Exception {
        daemon(FIRST);
        daemon(SECOND, "jobs = 1");
        try (Launched run = replicate("A:" + FIRST + ",B:127.0.0.3")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("127.0.0.3: Connection refused", "does 'robber-cli serve' run there?");
            assertThat(run.out()).contains("partial: 2 of 3 nodes");
        }
        assertCopies(FIRST);
        try (Launched held = held(SECOND);
                Launched run = replicate(BOTH, "--on-failure=abort")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err())
                    .contains("error: 1 of 2 nodes could not be started: " + SECOND
                            + ": its daemon runs as many jobs as it may, 1");
            assertThat(held.running()).isTrue();
        }
        Path wrong = Files.writeString(folder.resolve("wrong"), "something else");
        assertThat(wrong.toFile().setReadable(false, false) && wrong.toFile().setReadable(true, true))
                .isTrue();
        try (Launched run = replicate(BOTH, "--secret-file=" + wrong)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err()).contains(FIRST + ": its daemon has another secret: is the file of --secret-file");
        }
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        daemon(FIRST);
        Path home = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(home.resolve("lib"), Path.of("target/lib").toAbsolutePath());
        Path jar = Files.copy(Path.of("target/robber-cli.jar"), home.resolve("robber-cli.jar"));
        Files.writeString(home.resolve("more.txt"), "another build");
        run(home, Path.of(System.getProperty("java.home"), "bin/jar").toString(), "uf", jar.toString(), "more.txt");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-jar", jar.toString()));
        command.addAll(arguments(FIRST));
        try (Launched run = Launched.command(folder, Map.of("SERVE_IT", mark), command)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            assertThat(run.err())
                    .containsPattern(FIRST
                            + ": its daemon runs robber-cli .+ \\(build \\w+\\), and this is robber-cli .+ \\(build"
                            + " \\w+\\): install the same version");
        }
    }

    @Test
    void destinationsElsewhereAreRefused() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createSymbolicLink(dest.resolve("link"), outside);
        Files.createSymbolicLink(dest.resolve("dangling"), outside.resolve("new"));
        daemon(FIRST);
        for (Path place : List.of(
                outside.resolve("x"),
                dest.resolve("../outside/x"),
                dest.resolve("link/x"),
                dest.resolve("dangling"),
                Path.of("x"))) {
            try (Launched run = replicate(FIRST, "--on-failure=abort", place)) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
                assertThat(run.err()).contains("(rank 1, host ", "failed during 'prepare': DEST ");
            }
            try (Launched run = streamTo(FIRST, place)) {
                assertThat(run.exitCode()).as(run.err()).isNotZero();
            }
        }
        assertThat(Trees.names(outside)).isEmpty();
        try (Launched run = replicate(FIRST, "--dry-run", outside.resolve("x"))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err()).contains("is not allowed here: copies may go into " + dest);
        }
    }

    @Test
    void quotasHoldForFilesAndStreams() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("large"), 9 << 20);
        daemon(FIRST, "quota = 8M");
        daemon(SECOND, "keep-free = 100000T");
        for (String place : List.of("files/", "file")) {
            try (Launched run = copy(large, FIRST, dest.resolve(place) + (place.endsWith("/") ? "/" : ""))) {
                assertThat(run.exitCode()).as(run.err()).isNotZero();
                assertThat(run.err())
                        .contains("(rank 1, host ", "the copy has 9.0 MiB, and 8.0 MiB are allowed there (quota");
            }
        }
        try (Launched run = streamTo(FIRST, dest.resolve("stream"))) {
            assertThat(run.exitCode()).as(run.err()).isNotZero();
            assertThat(run.err()).contains("are allowed there (quota");
        }
        try (Launched run = replicate(SECOND)) {
            assertThat(run.exitCode()).as(run.err()).isNotZero();
            assertThat(run.err())
                    .contains("not enough space at " + dest.resolve(SECOND) + " on ")
                    .contains(" that must stay free there (keep-free of its daemon)");
        }
        assertThat(Trees.names(dest)).isEmpty();
    }

    @Test
    void aNewConfigurationHoldsForNewJobs() throws Exception {
        ServeDaemon daemon = daemon(FIRST);
        Path later = Files.createDirectory(folder.resolve("later"));
        try (Launched running = replicate(FIRST, "--bwlimit=3M", "--progress=json")) {
            running.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            daemon.reload(
                    "allow = " + folder.resolve("more") + "\nallow = " + later, "has read its configuration anew");
            daemon.awaitSaid("there is no folder " + folder.resolve("more") + ": no copy can go there", 1);
            try (Launched run = replicate(FIRST, "--on-failure=abort", dest.resolve("x"))) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            }
            try (Launched run = replicate(FIRST, later.resolve("x"))) {
                assertThat(run.exitCode()).as(run.err()).isZero();
            }
            daemon.reload("allow = relative", "keeps its configuration, because the new one cannot be used: --allow");
            try (Launched run = replicate(FIRST, later.resolve("y"))) {
                assertThat(run.exitCode()).as(run.err()).isZero();
            }
            assertThat(running.exitCode()).as(running.err()).isZero();
        }
        assertCopies(FIRST);
    }

    @Test
    void aConfigurationThatHangsDoesNotKeepTheDaemonFromItsEnd() throws Exception {
        ServeDaemon daemon = daemon(FIRST);
        daemon.reloadFromPipe();
        daemon.signal("TERM");
        assertThat(daemon.process().exitCode()).as(daemon.process().err()).isZero();
    }

    @Test
    void aDaemonThatIsToldToEndFinishesItsJobs() throws Exception {
        ServeDaemon daemon = daemon(FIRST);
        try (Launched running = replicate(FIRST, "--bwlimit=3M", "--progress=json")) {
            running.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            daemon.signal("TERM");
            daemon.awaitSaid("ends when its jobs have ended: 1", 1);
            try (Launched run = replicate(FIRST)) {
                assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
            }
            assertThat(running.exitCode()).as(running.err()).isZero();
        }
        assertThat(daemon.process().exitCode()).as(daemon.process().err()).isZero();
        assertCopies(FIRST);
        ServeDaemon impatient = daemon(SECOND, "stop-timeout = 1s");
        try (Launched running = held(SECOND)) {
            impatient.signal("TERM");
            assertThat(impatient.process().exitCode())
                    .as(impatient.process().err())
                    .isZero();
            assertThat(running.exitCode()).as(running.err()).isNotZero();
            assertThat(running.err()).contains("was told to stop during 'transfer'");
        }
        awaitProcesses(0);
    }

    @Test
    void thousandsOfOthersKeepNoJobOut() throws Exception {
        ServeDaemon daemon = daemon(FIRST);
        SplittableRandom random = new SplittableRandom(1);
        List<UnauthenticatedClient> clients = new ArrayList<>();
        try {
            Behaviour[] behaviours = Behaviour.values();
            for (int i = 0; i < 2000; i++) {
                clients.add(new UnauthenticatedClient(port, behaviours[i % behaviours.length], random));
                if (i == 1500) {
                    try (Launched run = replicate(FIRST)) {
                        assertThat(run.exitCode()).as(run.err()).isZero();
                    }
                }
            }
        } finally {
            for (UnauthenticatedClient client : clients) {
                client.close();
            }
        }
        assertCopies(FIRST);
        String status = Files.readString(Path.of("/proc/" + daemon.process().processId() + "/status"));
        long peakKiB = Long.parseLong(status.replaceFirst("(?s).*VmHWM:\\s+(\\d+) kB.*", "$1"));
        assertThat(peakKiB).as("memory").isLessThan(400 << 10);
        assertThat(daemon.process().err().lines()).hasSizeLessThan(100);
    }

    @Test
    void theServiceManagerHandsOverItsSocket() throws Exception {
        assumeThat(Path.of("/usr/bin/systemd-socket-activate")).exists();
        List<String> command = new ArrayList<>(List.of("systemd-socket-activate", "--listen=" + FIRST + ":" + port));
        command.add("--setenv=JAVA_HOME=" + System.getProperty("java.home"));
        command.add("--setenv=SERVE_IT=" + mark);
        command.addAll(List.of(Launched.script().toString(), "serve", "--allow=" + dest));
        command.add("--secret-file=" + ServeDaemon.secretFile(folder));
        // Another address than the one that is handed over, which counts.
        command.add("--listen=" + SECOND + ":" + port);
        try (Launched daemon = Launched.command(folder, Map.of("SERVE_IT", mark), command)) {
            daemon.awaitSaid("Listening on", LIMIT_NANOS);
            for (String place : List.of("one", "two")) {
                try (Launched run = replicate(FIRST, dest.resolve(place))) {
                    assertThat(run.exitCode()).as(run.err() + daemon.err()).isZero();
                }
                Trees.assertSame(source, dest.resolve(place).resolve("tree"));
            }
            assertThat(daemon.err()).contains("robber-cli: serve: listens at " + FIRST + ":" + port);
            Launched.signal("TERM", daemon.processId());
            assertThat(daemon.exitCode()).as(daemon.err()).isZero();
        }
    }

    @Test
    void withoutASecretOnlyLoopbackIsServed() throws Exception {
        try (Launched run = launch("serve", "--allow=" + dest, "--listen=0.0.0.0:" + port)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("every process that reaches 0.0.0.0:" + port + " could write");
        }
        try (Launched run = launch("serve", "--listen=" + FIRST + ":" + port)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("no folder is allowed");
        }
        try (Launched daemon = launch("serve", "--allow=" + dest, "--listen=" + FIRST + ":" + port)) {
            daemon.awaitSaid("listens at", LIMIT_NANOS);
            try (Launched second = launch("serve", "--allow=" + dest, "--listen=" + FIRST + ":" + port)) {
                assertThat(second.exitCode()).as(second.err()).isEqualTo(5);
                assertThat(second.err())
                        .contains("cannot listen at " + FIRST + ":" + port + ": Address already in use");
            }
            try (Launched run =
                    launch("replicate", "-w", FIRST, "--launcher=serve:" + port, source.toString(), dest + "/{host}")) {
                assertThat(run.exitCode()).as(run.err()).isZero();
            }
        }
        assertCopies(FIRST);
    }

    private ServeDaemon daemon(String address, String... settings) throws Exception {
        ServeDaemon daemon = new ServeDaemon(folder, Map.of("SERVE_IT", mark), address + ":" + port, dest, settings);
        daemons.add(daemon);
        return daemon;
    }

    /** A job that goes on until it is ended. */
    private Launched held(String hosts) throws Exception {
        Launched run = replicate(hosts, "--bwlimit=20K", "--progress=json", dest.resolve("held-{host}"));
        run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
        return run;
    }

    /** @param optionsAndPlace perhaps with a destination at the end */
    private Launched replicate(String hosts, Object... optionsAndPlace) throws IOException {
        List<String> all = arguments(hosts);
        boolean place = optionsAndPlace.length > 0 && optionsAndPlace[optionsAndPlace.length - 1] instanceof Path;
        if (place) {
            all.remove(all.size() - 1);
        }
        for (int i = 0; i < optionsAndPlace.length; i++) {
            String text = optionsAndPlace[i].toString();
            if (text.startsWith("--secret-file=")) {
                all.removeIf(other -> other.startsWith("--secret-file="));
            }
            boolean last = place && i == optionsAndPlace.length - 1;
            all.add(last ? all.size() : 1, text);
        }
        return launch(all.toArray(String[]::new));
    }

    private List<String> arguments(String hosts) throws IOException {
        return new ArrayList<>(List.of(
                "replicate",
                "-w",
                hosts,
                "--launcher=serve:" + port,
                "--secret-file=" + ServeDaemon.secretFile(folder),
                source.toString(),
                dest + "/{host}"));
    }

    private Launched copy(Path file, String hosts, String place) throws IOException {
        List<String> all = arguments(hosts).subList(0, 5);
        return launch(
                Stream.concat(all.stream(), Stream.of(file.toString(), place)).toArray(String[]::new));
    }

    private Launched streamTo(String hosts, Path place) throws IOException {
        String options = String.join("' '", arguments(hosts).subList(0, 5));
        String command = "head -c 9M /dev/zero | '" + Launched.script() + "' '" + options + "' - '" + place + "'";
        return Launched.command(folder, Map.of("SERVE_IT", mark), List.of("bash", "-c", command));
    }

    private Launched launch(String... arguments) throws IOException {
        return Launched.start(folder, Map.of("SERVE_IT", mark), arguments);
    }

    private static void run(Path place, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(place.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private void assertCopies(String... hosts) throws IOException {
        for (String host : hosts) {
            Trees.assertSame(source, dest.resolve(host).resolve("tree"));
        }
    }

    private void awaitProcesses(int count) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        List<ProcessHandle> left = Launched.withVariable("SERVE_IT", mark);
        while (left.size() > count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
            left = Launched.withVariable("SERVE_IT", mark);
        }
        assertThat(left.stream().map(process -> process.info().toString())).hasSize(count);
    }
}
